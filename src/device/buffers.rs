//! Device memory. A [`BufferSet`] compares the sizes of all its buffers with the limits of the
//! device before it allocates the first one.

use std::cell::OnceCell;
use std::mem::{ManuallyDrop, take};
use std::ops::Range;
use std::rc::Rc;

use bytemuck::{AnyBitPattern, NoUninit};
use opencl3::event::Event;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, ClMem};
use opencl3::types::cl_mem;

use super::error::{DeviceError, Result};
use super::find::DeviceInfo;
use super::owned::{Owned, allocate};
use super::profile::Queue;
use super::session::Session;
use super::wait::{finish, wait};
use crate::engine::Precision;

/// Returns `numbers` in `real`, the number type of the kernels, as 32-bit words.
pub fn reals(numbers: &[f64], precision: Precision) -> Vec<u32> {
    match precision.is_double() {
        true => bytemuck::cast_slice(numbers).to_vec(),
        false => numbers.iter().map(|&n| (n as f32).to_bits()).collect(),
    }
}

/// A plan of buffers: the name, the size and the initial contents of each.
pub struct BufferSet<'d> {
    /// The session that allocates the buffers.
    pub session: &'d Session,
    planned: Vec<Planned<'d>>,
}

struct Planned<'d> {
    name: &'static str,
    bytes: usize,
    buffer: DeviceBuffer,
    /// Writes the initial contents; `None` leaves the buffer uninitialised.
    fill: Option<Box<Fill<'d>>>,
}

/// A function that writes the initial contents of a buffer.
type Fill<'d> = dyn Fn(&DeviceBuffer, &Queue) -> Result<()> + 'd;

impl<'d> BufferSet<'d> {
    /// Returns an empty plan.
    pub fn new(session: &'d Session) -> Self {
        BufferSet {
            session,
            planned: Vec::new(),
        }
    }

    /// Plans an uninitialised buffer.
    pub fn unset(&mut self, name: &'static str, bytes: usize) -> DeviceBuffer {
        self.push(name, bytes, None)
    }

    /// Plans a buffer of zero bytes, which are 0 or 0.0 in every number type used.
    pub fn zeroed(&mut self, name: &'static str, bytes: usize) -> DeviceBuffer {
        self.push(name, bytes, Some(Box::new(DeviceBuffer::clear)))
    }

    /// Plans a buffer that holds `numbers`.
    pub fn filled<T: NoUninit>(
        &mut self,
        name: &'static str,
        numbers: impl AsRef<[T]> + 'd,
    ) -> DeviceBuffer {
        let bytes = size_of_val(numbers.as_ref());
        let fill = move |buffer: &DeviceBuffer, queue: &Queue| buffer.fill(queue, numbers.as_ref());
        self.push(name, bytes, Some(Box::new(fill)))
    }

    /// Plans a buffer of `numbers` in `real`, the number type of the kernels.
    pub fn reals(&mut self, name: &'static str, numbers: impl AsRef<[f64]> + 'd) -> DeviceBuffer {
        match self.session.options.precision.is_double() {
            true => self.filled(name, numbers),
            false => self.filled(name, reals(numbers.as_ref(), Precision::F32)),
        }
    }

    fn push(
        &mut self,
        name: &'static str,
        bytes: usize,
        fill: Option<Box<Fill<'d>>>,
    ) -> DeviceBuffer {
        let buffer = DeviceBuffer {
            bytes: bytes.max(8),
            memory: Rc::default(),
        };
        self.planned.push(Planned {
            name,
            bytes,
            buffer: buffer.clone(),
            fill,
        });
        buffer
    }

    /// Returns the bytes of a path count or dependency (`real`).
    pub fn real_bytes(&self) -> usize {
        self.session.options.precision.bytes()
    }

    /// Returns the bytes of a score that is added up over many roots (`SCORE`).
    pub fn score_bytes(&self) -> usize {
        self.session.score_precision().bytes()
    }

    /// Returns the bytes of all buffers.
    pub fn total(&self) -> u64 {
        let bytes = self.planned.iter().map(|planned| planned.bytes as u64);
        bytes.sum()
    }

    /// Returns the bytes of the largest buffer.
    pub fn largest(&self) -> u64 {
        let bytes = self.planned.iter().map(|planned| planned.bytes as u64);
        bytes.max().unwrap_or(0)
    }

    /// Allocates and fills all buffers, if they fit the device.
    pub fn make(self) -> Result<()> {
        let sizes = self.planned.iter().map(|p| (p.name, p.bytes as u64));
        check(&sizes.collect::<Vec<_>>(), &self.session.info)?;
        for Planned { buffer, fill, .. } in self.planned {
            // The buffer has no memory yet, because this function consumes the plan.
            let memory = allocate(&self.session.context, buffer.bytes)?;
            buffer.memory.get_or_init(|| memory);
            if let Some(fill) = fill {
                fill(&buffer, &self.session.queue)?;
            }
        }
        Ok(())
    }

    /// Makes all buffers, and migrates uninitialised ones to the device, so that the driver
    /// allocates their memory now and not in the first search.
    pub fn make_resident(self) -> Result<()> {
        let queue = &self.session.queue;
        let unset = self.planned.iter().filter(|planned| planned.fill.is_none());
        let unset: Vec<DeviceBuffer> = unset.map(|planned| planned.buffer.clone()).collect();
        self.make()?;
        finish(queue)?;
        let handles: Vec<cl_mem> = unset.iter().map(DeviceBuffer::handle).collect();
        let (count, first) = (handles.len() as u32, handles.as_ptr());
        let content = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        // SAFETY: the handles are those of live buffers, whose contents no command needs yet.
        let event = unsafe { queue.enqueue_migrate_mem_object(count, first, content, &[]) };
        drop(Owned::new(DeviceError::check("migrating buffers", event)?));
        finish(queue)
    }
}

/// Compares the sizes of buffers, and their sum, with the limits of a device.
///
/// # Errors
/// [`DeviceError::Refused`] if a limit is exceeded.
fn check(sizes: &[(&'static str, u64)], info: &DeviceInfo) -> Result<()> {
    let (device, limit) = (&info.name, info.max_buffer);
    if let Some((buffer, needed)) = sizes.iter().find(|(_, needed)| *needed > limit) {
        return Err(DeviceError::Refused(format!(
            "{device}: buffer '{buffer}' needs {needed} bytes, but no buffer may exceed {limit}"
        )));
    }
    let needed: u64 = sizes.iter().map(|(_, bytes)| bytes).sum();
    let limit = info.memory;
    match needed <= limit {
        true => Ok(()),
        false => Err(DeviceError::Refused(format!(
            "{device}: the graph needs {needed} bytes of device memory, but there are {limit}"
        ))),
    }
}

/// A device buffer, whose numbers may have any type. Clones share it.
///
/// # Panics
/// Every use except `clone` panics if [`BufferSet::make`] has not allocated the buffer yet, and so
/// does an access beyond its end.
#[derive(Clone)]
pub struct DeviceBuffer {
    /// The size, at least 8, since OpenCL has no empty buffers.
    bytes: usize,
    memory: Rc<OnceCell<Owned<Buffer<u8>>>>,
}

impl DeviceBuffer {
    /// Writes `numbers` to the start of the buffer, after all commands enqueued so far, and waits.
    pub fn fill<T: NoUninit>(&self, queue: &Queue, numbers: &[T]) -> Result<()> {
        // SAFETY: the write blocks, so `numbers` outlives it.
        unsafe { self.write(queue, numbers, true) }
    }

    /// Enqueues a write of `numbers` to the start of the buffer, and waits if it is `blocking`.
    ///
    /// # Safety
    /// If the write is not blocking, the memory of `numbers` must stay valid and unchanged until
    /// `queue` has executed the write.
    pub unsafe fn write<T: NoUninit>(
        &self,
        queue: &Queue,
        numbers: &[T],
        blocking: bool,
    ) -> Result<()> {
        let source: &[u8] = bytemuck::cast_slice(numbers);
        let mut object = self.object(source.len());
        // OpenCL refuses writes of no bytes.
        if source.is_empty() {
            return Ok(());
        }
        // SAFETY: the write blocks, or the caller keeps `numbers` unchanged until it is done.
        let event =
            unsafe { queue.enqueue_write_buffer(&mut object, blocking.into(), 0, source, &[]) };
        queue.record("write", "filling a buffer", event).map(drop)
    }

    /// Enqueues a fill with zero bytes.
    pub fn clear(&self, queue: &Queue) -> Result<()> {
        self.clear_bytes(queue, 0..self.bytes)
    }

    /// Enqueues a fill of a range of bytes with zeros.
    pub fn clear_bytes(&self, queue: &Queue, bytes: Range<usize>) -> Result<()> {
        let mut object = self.object(bytes.end);
        for part in parts(bytes, FILL_PART) {
            let origin = part.start / FILL_PART * FILL_PART;
            if origin == 0 {
                fill(queue, &mut object, part)?;
                continue;
            }
            let size = FILL_PART.min(self.bytes - origin);
            // SAFETY: the region lies within the buffer, and no other sub-buffer overlaps it. The
            // runtime retains the buffer until the fill is done.
            let piece = unsafe { object.create_sub_buffer(CL_MEM_READ_WRITE, origin, size) };
            let mut piece = Owned::new(DeviceError::check("creating a sub-buffer", piece)?);
            fill(queue, &mut piece, part.start - origin..part.end - origin)?;
        }
        Ok(())
    }

    /// Waits for the queue and reads the first `numbers.len()` numbers.
    pub fn read<T: NoUninit + AnyBitPattern>(
        &self,
        queue: &Queue,
        numbers: &mut [T],
    ) -> Result<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        // SAFETY: the read blocks, so `numbers` outlives it.
        unsafe { self.enqueue_read(queue, numbers, true) }.map(drop)
    }

    /// Enqueues a read of the first numbers of the buffer, and waits if it is `blocking`.
    ///
    /// # Safety
    /// If the read is not blocking, the memory of `numbers` must stay valid and unused until
    /// `queue` has executed the read.
    unsafe fn enqueue_read<T: NoUninit + AnyBitPattern>(
        &self,
        queue: &Queue,
        numbers: &mut [T],
        blocking: bool,
    ) -> Result<Owned<Event>> {
        let target: &mut [u8] = bytemuck::cast_slice_mut(numbers);
        let object = self.object(target.len());
        // SAFETY: the read blocks, or the caller keeps `numbers` in place until it is done.
        let event = unsafe { queue.enqueue_read_buffer(&object, blocking.into(), 0, target, &[]) };
        queue.record("read", "reading a buffer", event)
    }

    /// Enqueues a read of the first `count` words.
    pub fn read_later(&self, queue: &Queue, count: usize) -> Result<PendingRead> {
        let mut words = vec![0u32; count];
        // SAFETY: a move of the vector does not move its memory; `wait` and `drop` wait for the
        // event before they release it.
        let event = unsafe { self.enqueue_read(queue, &mut words, false) }?;
        Ok(PendingRead { words, event })
    }

    /// Waits for the queue and returns the first `len` numbers, which have type `precision`.
    pub fn read_reals(&self, queue: &Queue, precision: Precision, len: usize) -> Result<Vec<f64>> {
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
    pub fn add_to(&self, queue: &Queue, precision: Precision, sums: &mut [f64]) -> Result<()> {
        let numbers = self.read_reals(queue, precision, sums.len())?;
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
        Ok(())
    }

    /// Waits for the queue, adds the numbers, which have type `precision`, to `sums`, and clears
    /// the buffer.
    pub fn move_to(&self, queue: &Queue, precision: Precision, sums: &mut [f64]) -> Result<()> {
        self.add_to(queue, precision, sums)?;
        self.clear(queue)
    }

    /// Returns the OpenCL object for an access to its first `bytes` bytes.
    fn object(&self, bytes: usize) -> ManuallyDrop<Buffer<u8>> {
        assert!(bytes <= self.bytes, "an access past the end of a buffer");
        ManuallyDrop::new(Buffer::new(self.handle()))
    }

    /// Returns the handle, as a kernel argument.
    pub(super) fn handle(&self) -> cl_mem {
        // Every strategy makes its plans before it uses their buffers.
        let memory = self.memory.get();
        memory.map_or_else(|| panic!("a buffer is used before it is made"), |m| m.get())
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

/// Enqueues a single fill with zeros.
fn fill(queue: &Queue, buffer: &mut Buffer<u8>, bytes: Range<usize>) -> Result<()> {
    // SAFETY: the pattern is one byte, and the caller has checked the range.
    let event = unsafe { queue.enqueue_fill_buffer(buffer, &[0u8], bytes.start, bytes.len(), &[]) };
    queue.record("fill", "clearing a buffer", event).map(drop)
}

/// An enqueued read of words.
pub struct PendingRead {
    words: Vec<u32>,
    event: Owned<Event>,
}

impl PendingRead {
    /// Waits for the words and returns them.
    pub fn wait(mut self) -> Result<Vec<u32>> {
        wait(&self.event)?;
        Ok(take(&mut self.words))
    }
}

impl Drop for PendingRead {
    fn drop(&mut self) {
        // After `wait` there are no words. Otherwise the device may still write to them; if the
        // driver cannot report the end of the read, the memory is leaked.
        if !self.words.is_empty() && self.event.wait().is_err() {
            std::mem::forget(take(&mut self.words));
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
        assert_eq!(check(&[("a", 600), ("b", 400)], &info), Ok(()));
        let one = check(&[("arcs", 601)], &info).unwrap_err();
        assert_eq!(
            one.to_string(),
            "Tiny: buffer 'arcs' needs 601 bytes, but no buffer may exceed 600"
        );
        let all = check(&[("a", 600), ("b", 401)], &info);
        assert_eq!(
            all.unwrap_err().to_string(),
            "Tiny: the graph needs 1001 bytes of device memory, but there are 1000"
        );
    }
}
