//! Buffers: sized and checked against the device's limits before the first is allocated.

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
    /// `__local T *`: bytes of local memory, at least one.
    Local(usize),
}

impl Arg<'_> {
    /// A number of vertices, arcs, levels or the like, which all fit into a `uint`.
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

/// Buffers that are described once: what each holds, how large it is, and what is in it at first.
/// All are checked against the device's limits before the first is allocated.
pub struct BufferSet<'d> {
    session: &'d Session,
    planned: Vec<Planned<'d>>,
}

struct Planned<'d> {
    what: &'static str,
    bytes: u64,
    /// Writes what is in it at first, if anything is.
    fill: Option<Box<Fill<'d>>>,
}

/// Writes to a buffer.
type Fill<'d> = dyn Fn(&mut DeviceBuffer, &Queue) -> Result<(), DeviceError> + 'd;

/// A buffer of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferId(usize);

impl<'d> BufferSet<'d> {
    /// No buffers yet.
    pub fn new(session: &'d Session) -> Self {
        BufferSet {
            session,
            planned: Vec::new(),
        }
    }

    /// A buffer of unset bytes.
    pub fn unset(&mut self, what: &'static str, bytes: u64) -> BufferId {
        self.push(what, bytes, None)
    }

    /// A buffer of zero bytes (zero is 0 and 0.0 in every number type used).
    pub fn zeroed(&mut self, what: &'static str, bytes: u64) -> BufferId {
        self.push(what, bytes, Some(Box::new(DeviceBuffer::clear)))
    }

    /// A buffer that holds `numbers`.
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

    /// A buffer of `numbers` in the program's `real`.
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

    /// The device that they are for.
    pub fn info(&self) -> &'d DeviceInfo {
        &self.session.info
    }

    /// Bytes of a number of the type of path counts and dependencies.
    pub fn real_bytes(&self) -> usize {
        self.session.options.precision.bytes()
    }

    /// Bytes of a number of the type of scores that are added up over many roots.
    pub fn score_bytes(&self) -> usize {
        self.session.score_precision().bytes()
    }

    /// What the buffers hold, and their bytes.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.planned.iter().map(|p| (p.what, p.bytes))
    }

    /// Bytes of all the buffers.
    pub fn total(&self) -> u64 {
        self.sizes().map(|(_, bytes)| bytes).sum()
    }

    /// Allocates all buffers, if they fit the device.
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

/// Checks sizes of buffers, and their sum, against what a device allows.
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
    /// Buffers as kernel arguments, in this order.
    pub fn args(&self, places: impl IntoIterator<Item = BufferId>) -> Vec<Arg<'_>> {
        let args = places.into_iter().map(|place| Arg::Buffer(&self[place]));
        args.collect()
    }

    /// Enqueues the placing of buffers of unset bytes on the device: drivers allocate at first use,
    /// which would otherwise fall into the first search.
    pub fn settle(
        &self,
        queue: &Queue,
        places: impl Iterator<Item = BufferId>,
    ) -> Result<(), DeviceError> {
        let handles: Vec<cl_mem> = places.map(|place| self[place].handle()).collect();
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
        .map_err(DeviceError::call("placing buffers"))
    }
}

impl Index<BufferId> for Buffers {
    type Output = DeviceBuffer;

    fn index(&self, place: BufferId) -> &DeviceBuffer {
        &self.0[place.0]
    }
}

impl IndexMut<BufferId> for Buffers {
    fn index_mut(&mut self, place: BufferId) -> &mut DeviceBuffer {
        &mut self.0[place.0]
    }
}

/// A device buffer of `bytes` bytes. What its numbers are is between host code and kernel:
/// `real` is f64 or f32 by the precision the program was built for.
pub struct DeviceBuffer {
    buffer: Owned<Buffer<u8>>,
    bytes: usize,
}

impl DeviceBuffer {
    /// A buffer of unset bytes. OpenCL has no empty buffers, so an empty one gets a word.
    pub fn unset(session: &Session, bytes: usize) -> Result<Self, DeviceError> {
        let size = bytes.max(8);
        // SAFETY: no host pointer is handed over.
        let buffer = unsafe {
            Buffer::<u8>::create(&session.context, CL_MEM_READ_WRITE, size, ptr::null_mut())
        }
        .map_err(DeviceError::call("allocating a buffer"))?;
        Ok(DeviceBuffer {
            buffer: Owned::new(buffer),
            bytes: size,
        })
    }

    /// Writes `numbers` to the start of the buffer, behind everything enqueued.
    pub fn fill<T: NoUninit>(&mut self, queue: &Queue, numbers: &[T]) -> Result<(), DeviceError> {
        // SAFETY: the write blocks, so `numbers` outlives it.
        unsafe { self.write(queue, CL_BLOCKING, numbers) }
    }

    /// Enqueues a write of `numbers` to the start of the buffer.
    ///
    /// # Safety
    /// `numbers` must neither move nor change nor go before `queue` has got past the write.
    pub unsafe fn write_later<T: NoUninit>(
        &mut self,
        queue: &Queue,
        numbers: &[T],
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's promise.
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
        // OpenCL refuses to write nothing.
        if source.is_empty() {
            return Ok(());
        }
        // SAFETY: that the bytes stay is the caller's promise.
        let event =
            unsafe { queue.enqueue_write_buffer(&mut self.buffer, blocking, 0, source, &[]) }
                .map_err(DeviceError::call("filling a buffer"))?;
        queue.note(Command::Transfer("write"), event);
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
            // SAFETY: the region lies within the buffer, and nothing else is made of it. The
            // runtime keeps the buffer until the fill is done.
            let piece = unsafe {
                self.buffer
                    .create_sub_buffer(CL_MEM_READ_WRITE, origin, size)
            };
            let mut piece =
                Owned::new(piece.map_err(DeviceError::call("taking a part of a buffer"))?);
            fill(queue, &mut piece, part.start - origin..part.end - origin)?;
        }
        Ok(())
    }

    /// Waits for the queue and copies the first `numbers.len()` numbers out.
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
        queue.note(Command::Transfer("read"), event);
        Ok(())
    }

    /// Waits for the queue and returns the first `len` numbers of a buffer of this type.
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

    /// Waits for the queue and adds the numbers of a buffer of this type to `sums`.
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

    /// Another owner of the buffer: it is freed when the last one is dropped.
    pub(super) fn share(&self) -> Result<Owned<Buffer<u8>>, DeviceError> {
        // SAFETY: the handle is that of a live buffer.
        unsafe { retain_mem_object(self.handle()) }
            .map_err(|code| DeviceError::call("keeping a buffer")(ClError(code)))?;
        Ok(Owned::new(Buffer::new(self.handle())))
    }

    /// The handle, as a kernel argument.
    pub(super) fn handle(&self) -> cl_mem {
        self.buffer.get()
    }
}

/// Fills end within so many bytes from where they begin to count. NVIDIA's driver (580.159) takes
/// the offset of a fill for a signed 32-bit number: beyond 2 GiB it writes to wherever that leads,
/// the host's memory included.
const FILL_PART: usize = 1 << 30;

/// A range cut at the multiples of `size`.
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
    queue.note(Command::Transfer("fill"), event);
    Ok(())
}

/// Words on their way from a buffer to the host.
pub struct PendingRead {
    words: Vec<u32>,
    event: Owned<Event>,
}

impl PendingRead {
    /// Enqueues a read of the first `count` words behind everything enqueued before.
    pub fn enqueue(
        queue: &Queue,
        buffer: &DeviceBuffer,
        count: usize,
    ) -> Result<Self, DeviceError> {
        assert!(count * 4 <= buffer.bytes, "a read past the end of a buffer");
        let mut words = vec![0u32; count];
        // SAFETY: `words` keeps its memory, moved or not, until the event has been waited for:
        // `wait` and `drop` see to that.
        let event = unsafe {
            let target = bytemuck::cast_slice_mut(&mut words);
            queue.enqueue_read_buffer(&buffer.buffer, CL_NON_BLOCKING, 0, target, &[])
        }
        .map_err(DeviceError::call("reading a buffer"))?;
        let event = queue.note(Command::Transfer("read"), event);
        Ok(PendingRead { words, event })
    }

    /// Waits for the words.
    pub fn wait(mut self) -> Result<Vec<u32>, DeviceError> {
        wait(&self.event)?;
        Ok(std::mem::take(&mut self.words))
    }
}

impl Drop for PendingRead {
    fn drop(&mut self) {
        // After `wait` there is nothing left to write to. Otherwise the device must be done with
        // the memory before it goes. A driver that cannot say that it is may still write: the
        // memory is its for good then.
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
