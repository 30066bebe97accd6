//! Device memory. A [`BufferSet`] compares the sizes of all its buffers with the limits of the
//! device before it allocates the first one.

use std::ops::{Index, IndexMut, Range};
use std::ptr;

use bytemuck::{AnyBitPattern, NoUninit};
use opencl3::error_codes::ClError;
use opencl3::event::Event;
use opencl3::memory::{
    Buffer, CL_MEM_READ_WRITE, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, ClMem, retain_mem_object,
};
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_bool, cl_mem};

use super::error::DeviceError;
use super::find::DeviceInfo;
use super::owned::Owned;
use super::profile::{Command, Queue};
use super::session::Session;
use super::wait::wait;
use crate::engine::Precision;

/// A kernel argument.
#[derive(Clone, Copy)]
pub enum Arg<'b> {
    /// `uint`
    Uint(u32),
    /// `ulong`
    Ulong(u64),
    /// `real`: double or float, as the program was built.
    Real(f64),
    /// `__global T *`
    Buffer(&'b DeviceBuffer),
    /// `__local T *`: bytes of local memory. At least 4 are allocated.
    Local(usize),
}

impl Arg<'_> {
    /// Returns an argument for a number of vertices, arcs or levels, which fits into a `uint`.
    pub fn count(number: usize) -> Self {
        Arg::Uint(number as u32)
    }
}

/// Returns the bytes of `numbers` in the program's `real`.
pub fn reals(numbers: &[f64], precision: Precision) -> Vec<u8> {
    match precision.is_double() {
        true => bytemuck::cast_slice(numbers).to_vec(),
        false => {
            let narrow: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
            bytemuck::cast_slice(&narrow).to_vec()
        }
    }
}

/// A plan of buffers: the name, the size and the initial contents of each.
pub struct BufferSet<'d> {
    /// The session that allocates the buffers.
    pub session: &'d Session,
    planned: Vec<Planned<'d>>,
}

struct Planned<'d> {
    what: &'static str,
    bytes: u64,
    /// Writes the initial contents; `None` leaves the buffer uninitialised.
    fill: Option<Box<Fill<'d>>>,
}

/// A function that writes the initial contents of a buffer.
type Fill<'d> = dyn Fn(&mut DeviceBuffer, &Queue) -> Result<(), DeviceError> + 'd;

/// The number of a buffer in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferId(usize);

impl<'d> BufferSet<'d> {
    /// Returns an empty plan.
    pub fn new(session: &'d Session) -> Self {
        BufferSet {
            session,
            planned: Vec::new(),
        }
    }

    /// Plans an uninitialised buffer.
    pub fn unset(&mut self, what: &'static str, bytes: u64) -> BufferId {
        self.push(what, bytes, None)
    }

    /// Plans a buffer of zero bytes (zero is 0 and 0.0 in every number type used).
    pub fn zeroed(&mut self, what: &'static str, bytes: u64) -> BufferId {
        self.push(what, bytes, Some(Box::new(DeviceBuffer::clear)))
    }

    /// Plans a buffer that holds `numbers`.
    pub fn filled<T: NoUninit>(
        &mut self,
        what: &'static str,
        numbers: impl AsRef<[T]> + 'd,
    ) -> BufferId {
        let bytes = size_of_val(numbers.as_ref()) as u64;
        let fill =
            move |buffer: &mut DeviceBuffer, queue: &Queue| buffer.fill(queue, numbers.as_ref());
        self.push(what, bytes, Some(Box::new(fill)))
    }

    /// Plans a buffer of `numbers` in the program's `real`.
    pub fn reals(&mut self, what: &'static str, numbers: impl AsRef<[f64]> + 'd) -> BufferId {
        match self.session.options.precision.is_double() {
            true => self.filled(what, numbers),
            false => self.filled(what, reals(numbers.as_ref(), Precision::F32)),
        }
    }

    fn push(&mut self, what: &'static str, bytes: u64, fill: Option<Box<Fill<'d>>>) -> BufferId {
        self.planned.push(Planned { what, bytes, fill });
        BufferId(self.planned.len() - 1)
    }

    /// Returns the bytes of a path count or dependency (`real`).
    pub fn real_bytes(&self) -> usize {
        self.session.options.precision.bytes()
    }

    /// Returns the bytes of a score that is added up over many roots (`SCORE`).
    pub fn score_bytes(&self) -> usize {
        self.session.score_precision().bytes()
    }

    /// Iterates over the names of the buffers and their bytes.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.planned.iter().map(|p| (p.what, p.bytes))
    }

    /// Returns the bytes of all buffers.
    pub fn total(&self) -> u64 {
        self.sizes().map(|(_, bytes)| bytes).sum()
    }

    /// Allocates and fills all buffers, if they fit the device.
    pub fn make(self) -> Result<Buffers, DeviceError> {
        check(self.sizes(), &self.session.info)?;
        let mut buffers = Buffers::default();
        for Planned { bytes, fill, .. } in self.planned {
            let mut buffer = DeviceBuffer::unset(self.session, bytes as usize)?;
            if let Some(fill) = fill {
                fill(&mut buffer, &self.session.queue)?;
            }
            buffers.0.push(buffer);
        }
        Ok(buffers)
    }
}

/// Compares the sizes of buffers, and their sum, with the limits of a device.
///
/// # Errors
/// [`DeviceError::BufferLimit`] or [`DeviceError::MemoryLimit`] if a limit is exceeded.
pub fn check(
    sizes: impl Iterator<Item = (&'static str, u64)>,
    info: &DeviceInfo,
) -> Result<(), DeviceError> {
    let mut total = 0;
    for (buffer, needed) in sizes {
        total += needed;
        if needed > info.max_buffer {
            return Err(DeviceError::BufferLimit {
                device: info.name.clone(),
                buffer,
                needed,
                limit: info.max_buffer,
            });
        }
    }
    if total > info.memory {
        return Err(DeviceError::MemoryLimit {
            device: info.name.clone(),
            needed: total,
            limit: info.memory,
        });
    }
    Ok(())
}

/// The buffers of a [`BufferSet`].
#[derive(Default)]
pub struct Buffers(Vec<DeviceBuffer>);

impl Buffers {
    /// Returns buffers as kernel arguments, in this order.
    pub fn args(&self, ids: impl IntoIterator<Item = BufferId>) -> Vec<Arg<'_>> {
        let args = ids.into_iter().map(|id| Arg::Buffer(&self[id]));
        args.collect()
    }

    /// Migrates uninitialised buffers to the device, so that the driver allocates their memory now
    /// and not in the first search.
    pub fn settle(
        &self,
        queue: &Queue,
        ids: impl Iterator<Item = BufferId>,
    ) -> Result<(), DeviceError> {
        let handles: Vec<cl_mem> = ids.map(|id| self[id].handle()).collect();
        // SAFETY: the handles are those of live buffers, whose contents no command needs yet.
        unsafe {
            queue.enqueue_migrate_mem_object(
                handles.len() as u32,
                handles.as_ptr(),
                CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
                &[],
            )
        }
        .map(|event| drop(Owned::new(event)))
        .map_err(DeviceError::call("migrating buffers"))
    }
}

impl Index<BufferId> for Buffers {
    type Output = DeviceBuffer;

    fn index(&self, id: BufferId) -> &DeviceBuffer {
        &self.0[id.0]
    }
}

impl IndexMut<BufferId> for Buffers {
    fn index_mut(&mut self, id: BufferId) -> &mut DeviceBuffer {
        &mut self.0[id.0]
    }
}

/// A device buffer of `bytes` bytes, whose numbers may have any type.
pub struct DeviceBuffer {
    buffer: Owned<Buffer<u8>>,
    bytes: usize,
}

impl DeviceBuffer {
    /// Allocates an uninitialised buffer. OpenCL has no empty buffers, so an empty one gets 8
    /// bytes.
    pub fn unset(session: &Session, bytes: usize) -> Result<Self, DeviceError> {
        let size = bytes.max(8);
        // SAFETY: no host pointer is passed.
        let buffer = unsafe {
            Buffer::<u8>::create(&session.context, CL_MEM_READ_WRITE, size, ptr::null_mut())
        }
        .map_err(DeviceError::call("allocating a buffer"))?;
        Ok(DeviceBuffer {
            buffer: Owned::new(buffer),
            bytes: size,
        })
    }

    /// Writes `numbers` to the start of the buffer, after all commands enqueued so far, and waits.
    pub fn fill<T: NoUninit>(&mut self, queue: &Queue, numbers: &[T]) -> Result<(), DeviceError> {
        // SAFETY: the write blocks, so `numbers` outlives it.
        unsafe { self.write(queue, CL_BLOCKING, numbers) }
    }

    /// Enqueues a write of `numbers` to the start of the buffer.
    ///
    /// # Safety
    /// `numbers` must not be moved, changed or dropped before `queue` has executed the write.
    pub unsafe fn write_later<T: NoUninit>(
        &mut self,
        queue: &Queue,
        numbers: &[T],
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller keeps `numbers` unchanged until then.
        unsafe { self.write(queue, CL_NON_BLOCKING, numbers) }
    }

    /// # Safety
    /// As for [`Self::write_later`], unless `blocking`.
    unsafe fn write<T: NoUninit>(
        &mut self,
        queue: &Queue,
        blocking: cl_bool,
        numbers: &[T],
    ) -> Result<(), DeviceError> {
        let source: &[u8] = bytemuck::cast_slice(numbers);
        assert!(
            source.len() <= self.bytes,
            "a write past the end of a buffer"
        );
        // OpenCL refuses writes of no bytes.
        if source.is_empty() {
            return Ok(());
        }
        // SAFETY: the write blocks, or the caller keeps `numbers` unchanged until it is done.
        let event =
            unsafe { queue.enqueue_write_buffer(&mut self.buffer, blocking, 0, source, &[]) }
                .map_err(DeviceError::call("filling a buffer"))?;
        queue.record(Command::Transfer("write"), event);
        Ok(())
    }

    /// Enqueues a fill with zero bytes.
    pub fn clear(&mut self, queue: &Queue) -> Result<(), DeviceError> {
        self.clear_bytes(queue, 0..self.bytes)
    }

    /// Enqueues a fill of a range of bytes with zeros.
    pub fn clear_bytes(&mut self, queue: &Queue, bytes: Range<usize>) -> Result<(), DeviceError> {
        assert!(bytes.end <= self.bytes, "a fill past the end of a buffer");
        for part in parts(bytes, FILL_PART) {
            let origin = part.start / FILL_PART * FILL_PART;
            if origin == 0 {
                fill(queue, &mut self.buffer, part)?;
                continue;
            }
            let size = FILL_PART.min(self.bytes - origin);
            // SAFETY: the region lies within the buffer, and no other sub-buffer overlaps it. The
            // runtime retains the buffer until the fill is done.
            let piece = unsafe {
                self.buffer
                    .create_sub_buffer(CL_MEM_READ_WRITE, origin, size)
            };
            let mut piece = Owned::new(piece.map_err(DeviceError::call("creating a sub-buffer"))?);
            fill(queue, &mut piece, part.start - origin..part.end - origin)?;
        }
        Ok(())
    }

    /// Waits for the queue and reads the first `numbers.len()` numbers.
    pub fn read<T: NoUninit + AnyBitPattern>(
        &self,
        queue: &Queue,
        numbers: &mut [T],
    ) -> Result<(), DeviceError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let target: &mut [u8] = bytemuck::cast_slice_mut(numbers);
        assert!(
            target.len() <= self.bytes,
            "a read past the end of a buffer"
        );
        // SAFETY: the read blocks, so `target` outlives it.
        let event = unsafe { queue.enqueue_read_buffer(&self.buffer, CL_BLOCKING, 0, target, &[]) }
            .map_err(DeviceError::call("reading a buffer"))?;
        queue.record(Command::Transfer("read"), event);
        Ok(())
    }

    /// Waits for the queue and returns the first `len` numbers, which have type `precision`.
    pub fn read_reals(
        &self,
        queue: &Queue,
        precision: Precision,
        len: usize,
    ) -> Result<Vec<f64>, DeviceError> {
        if precision.is_double() {
            let mut numbers = vec![0.0; len];
            self.read(queue, &mut numbers)?;
            return Ok(numbers);
        }
        let mut numbers = vec![0f32; len];
        self.read(queue, &mut numbers)?;
        Ok(numbers.into_iter().map(f64::from).collect())
    }

    /// Waits for the queue and adds the numbers, which have type `precision`, to `sums`.
    pub fn add_to(
        &self,
        queue: &Queue,
        precision: Precision,
        sums: &mut [f64],
    ) -> Result<(), DeviceError> {
        let numbers = self.read_reals(queue, precision, sums.len())?;
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
        Ok(())
    }

    /// Returns another owner of the buffer, which is freed when the last owner is dropped.
    pub(super) fn share(&self) -> Result<Owned<Buffer<u8>>, DeviceError> {
        // SAFETY: the handle is that of a live buffer.
        unsafe { retain_mem_object(self.handle()) }
            .map_err(|code| DeviceError::call("retaining a buffer")(ClError(code)))?;
        Ok(Owned::new(Buffer::new(self.handle())))
    }

    /// Returns the handle, as a kernel argument.
    pub(super) fn handle(&self) -> cl_mem {
        self.buffer.get()
    }
}

/// No fill extends beyond this offset of its buffer or sub-buffer, in bytes. NVIDIA's driver
/// (580.159) treats the offset of a fill as a signed 32-bit number: beyond 2 GiB it writes to wrong
/// addresses, even in the host's memory.
const FILL_PART: usize = 1 << 30;

/// Cuts a range at the multiples of `size`.
fn parts(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let first = range.start / size;
    (first..range.end.div_ceil(size))
        .map(move |i| range.start.max(i * size)..range.end.min((i + 1) * size))
        .filter(|part| !part.is_empty())
}

/// Enqueues one fill with zeros.
fn fill(queue: &Queue, buffer: &mut Buffer<u8>, bytes: Range<usize>) -> Result<(), DeviceError> {
    // SAFETY: the pattern is one byte, and the caller has checked the range.
    let event = unsafe { queue.enqueue_fill_buffer(buffer, &[0u8], bytes.start, bytes.len(), &[]) }
        .map_err(DeviceError::call("clearing a buffer"))?;
    queue.record(Command::Transfer("fill"), event);
    Ok(())
}

/// An enqueued read of words.
pub struct PendingRead {
    words: Vec<u32>,
    event: Owned<Event>,
}

impl PendingRead {
    /// Enqueues a read of the first `count` words.
    pub fn enqueue(
        queue: &Queue,
        buffer: &DeviceBuffer,
        count: usize,
    ) -> Result<Self, DeviceError> {
        assert!(count * 4 <= buffer.bytes, "a read past the end of a buffer");
        let mut words = vec![0u32; count];
        // SAFETY: a move of the vector does not move its memory; `wait` and `drop` wait for the
        // event before they release it.
        let event = unsafe {
            let target = bytemuck::cast_slice_mut(&mut words);
            queue.enqueue_read_buffer(&buffer.buffer, CL_NON_BLOCKING, 0, target, &[])
        }
        .map_err(DeviceError::call("reading a buffer"))?;
        let event = queue.record(Command::Transfer("read"), event);
        Ok(PendingRead { words, event })
    }

    /// Waits for the words and returns them.
    pub fn wait(mut self) -> Result<Vec<u32>, DeviceError> {
        wait(&self.event)?;
        Ok(std::mem::take(&mut self.words))
    }
}

impl Drop for PendingRead {
    fn drop(&mut self) {
        // After `wait` there are no words. Otherwise the device may still write to them; if the
        // driver cannot report the end of the read, the memory is leaked.
        if !self.words.is_empty() && self.event.wait().is_err() {
            std::mem::forget(std::mem::take(&mut self.words));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::find::DeviceKind;

    #[test]
    fn ranges_are_cut_at_multiples() {
        let cut = |range| {
            let ends = |part: Range<usize>| (part.start, part.end);
            parts(range, 10).map(ends).collect::<Vec<_>>()
        };
        assert_eq!(cut(0..10), [(0, 10)]);
        assert_eq!(cut(3..25), [(3, 10), (10, 20), (20, 25)]);
        assert_eq!(cut(10..11), [(10, 11)]);
        assert!(cut(5..5).is_empty());
    }

    #[test]
    fn plans_beyond_the_device_are_refused_with_both_numbers() {
        let info = DeviceInfo {
            memory: 1000,
            max_buffer: 600,
            ..DeviceInfo::for_tests(DeviceKind::Gpu)
        };
        assert_eq!(check([("a", 600), ("b", 400)].into_iter(), &info), Ok(()));
        let one = check([("arcs", 601)].into_iter(), &info).unwrap_err();
        assert_eq!(
            one.to_string(),
            "Tiny: buffer 'arcs' needs 601 bytes, but no buffer may exceed 600"
        );
        let all = check([("a", 600), ("b", 401)].into_iter(), &info);
        assert_eq!(
            all.unwrap_err().to_string(),
            "Tiny: the graph needs 1001 bytes of device memory, but there are 1000"
        );
    }
}
