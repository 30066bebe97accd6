//! Buffers: sized and checked against the device's limits before the first is allocated.

use std::ops::Range;
use std::ptr;

use opencl3::event::Event;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, ClMem};
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_bool, cl_mem};

use super::error::DeviceError;
use super::find::DeviceInfo;
use super::profile::{Command, Queue};
use super::session::Session;
use super::wait::wait;
use crate::engine::Precision;

/// The buffers that a strategy is about to make: what each holds and its bytes.
#[derive(Debug, Clone, Default)]
pub struct BufferPlan(pub Vec<(&'static str, u64)>);

impl BufferPlan {
    /// Bytes of all the buffers.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Checks each buffer and their sum against what the device allows.
    pub fn check(&self, info: &DeviceInfo) -> Result<(), DeviceError> {
        for &(buffer, needed) in &self.0 {
            if needed > info.max_buffer {
                return Err(DeviceError::BufferLimit {
                    device: info.name.clone(),
                    buffer,
                    needed,
                    limit: info.max_buffer,
                });
            }
        }
        if self.total() > info.memory {
            return Err(DeviceError::MemoryLimit {
                device: info.name.clone(),
                needed: self.total(),
                limit: info.memory,
            });
        }
        Ok(())
    }
}

/// A device buffer of `bytes` bytes. What its numbers are is between host code and kernel:
/// `real` is f64 or f32 by the precision the program was built for.
pub struct DeviceBuffer {
    buffer: Buffer<u8>,
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
            buffer,
            bytes: size,
        })
    }

    /// A buffer of zero bytes (zero is 0 and 0.0 in every number type used).
    pub fn zeroed(session: &Session, queue: &Queue, bytes: usize) -> Result<Self, DeviceError> {
        let mut buffer = Self::unset(session, bytes)?;
        buffer.clear(queue)?;
        Ok(buffer)
    }

    /// A buffer that holds `numbers`.
    pub fn filled<T: Copy>(session: &Session, numbers: &[T]) -> Result<Self, DeviceError> {
        let mut buffer = Self::unset(session, size_of_val(numbers))?;
        if !numbers.is_empty() {
            buffer.fill(&session.queue, numbers)?;
        }
        Ok(buffer)
    }

    /// A buffer of `numbers` in the program's `real`.
    pub fn reals(session: &Session, numbers: &[f64]) -> Result<Self, DeviceError> {
        match session.options.precision {
            Precision::F64 => Self::filled(session, numbers),
            Precision::F32 => {
                let narrow: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
                Self::filled(session, &narrow)
            }
        }
    }

    /// Writes `numbers` to the start of the buffer, behind everything enqueued.
    pub fn fill<T: Copy>(&mut self, queue: &Queue, numbers: &[T]) -> Result<(), DeviceError> {
        // SAFETY: the write blocks, so `numbers` outlives it.
        unsafe { self.write(queue, CL_BLOCKING, numbers) }
    }

    /// Enqueues a write of `numbers` to the start of the buffer.
    ///
    /// # Safety
    /// `numbers` must neither move nor change nor go before `queue` has got past the write.
    pub unsafe fn write_later<T: Copy>(
        &mut self,
        queue: &Queue,
        numbers: &[T],
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's promise.
        unsafe { self.write(queue, CL_NON_BLOCKING, numbers) }
    }

    /// # Safety
    /// As for [`Self::write_later`], unless `blocking`.
    unsafe fn write<T: Copy>(
        &mut self,
        queue: &Queue,
        blocking: cl_bool,
        numbers: &[T],
    ) -> Result<(), DeviceError> {
        let bytes = size_of_val(numbers);
        assert!(bytes <= self.bytes, "a write past the end of a buffer");
        // SAFETY: the slice covers `bytes` initialised bytes; that they stay is the caller's
        // promise.
        let event = unsafe {
            let source = std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), bytes);
            queue.enqueue_write_buffer(&mut self.buffer, blocking, 0, source, &[])
        }
        .map_err(DeviceError::call("filling a buffer"))?;
        queue.note(&Command::Write, event);
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
            let mut piece = piece.map_err(DeviceError::call("taking a part of a buffer"))?;
            fill(queue, &mut piece, part.start - origin..part.end - origin)?;
        }
        Ok(())
    }

    /// Waits for the queue and copies the first `numbers.len()` numbers out.
    pub fn read<T: Copy>(&self, queue: &Queue, numbers: &mut [T]) -> Result<(), DeviceError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let bytes = size_of_val(numbers);
        assert!(bytes <= self.bytes, "a read past the end of a buffer");
        // SAFETY: every T used is a plain number, for which any bytes are a value; the slice
        // covers exactly `bytes` bytes.
        let target =
            unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast::<u8>(), bytes) };
        // SAFETY: the read blocks, so `target` outlives it.
        let event = unsafe { queue.enqueue_read_buffer(&self.buffer, CL_BLOCKING, 0, target, &[]) }
            .map_err(DeviceError::call("reading a buffer"))?;
        queue.note(&Command::Read, event);
        Ok(())
    }

    /// Waits for the queue and adds the numbers of the buffer, of this type, to `sums`.
    pub fn add_to(
        &self,
        queue: &Queue,
        precision: Precision,
        sums: &mut [f64],
    ) -> Result<(), DeviceError> {
        match precision {
            Precision::F64 => self.add_numbers::<f64>(queue, sums),
            Precision::F32 => self.add_numbers::<f32>(queue, sums),
        }
    }

    /// As [`Self::add_to`] for any number type.
    pub fn add_numbers<T: Copy + Default + Into<f64>>(
        &self,
        queue: &Queue,
        sums: &mut [f64],
    ) -> Result<(), DeviceError> {
        let mut numbers = vec![T::default(); sums.len()];
        self.read(queue, &mut numbers)?;
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number.into();
        }
        Ok(())
    }

    /// Enqueues the placing of buffers on the device: drivers allocate at first use, which would
    /// otherwise fall into the first search.
    pub fn place(queue: &Queue, buffers: &[&DeviceBuffer]) -> Result<(), DeviceError> {
        let handles: Vec<cl_mem> = buffers.iter().map(|buffer| buffer.handle()).collect();
        // SAFETY: the handles are those of live buffers, whose contents nobody needs yet.
        unsafe {
            queue.enqueue_migrate_mem_object(
                handles.len() as u32,
                handles.as_ptr(),
                CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
                &[],
            )
        }
        .map_err(DeviceError::call("placing buffers"))?;
        Ok(())
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
    queue.note(&Command::Fill, event);
    Ok(())
}

/// Words on their way from a buffer to the host.
pub struct PendingRead {
    words: Vec<u32>,
    event: Event,
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
            let target = std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), count * 4);
            queue.enqueue_read_buffer(&buffer.buffer, CL_NON_BLOCKING, 0, target, &[])
        }
        .map_err(DeviceError::call("reading a buffer"))?;
        queue.note_shared(&Command::Read, &event);
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
        // the memory before it goes; a device that fails here will not write any more.
        if !self.words.is_empty() {
            let _ = self.event.wait();
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
            number: 0,
            name: "Tiny".into(),
            platform: String::new(),
            platform_version: String::new(),
            driver: String::new(),
            kind: DeviceKind::Gpu,
            compute_units: 1,
            max_work_group: 64,
            local_memory: 1024,
            memory: 1000,
            max_buffer: 600,
            fp64: true,
            int64_atomics: true,
        };
        assert_eq!(
            BufferPlan(vec![("a", 600), ("b", 400)]).check(&info),
            Ok(())
        );
        let one = BufferPlan(vec![("arcs", 601)]).check(&info).unwrap_err();
        assert_eq!(
            one.to_string(),
            "Tiny: buffer 'arcs' needs 601 bytes, but no buffer may exceed 600"
        );
        let all = BufferPlan(vec![("a", 600), ("b", 401)]).check(&info);
        assert_eq!(
            all.unwrap_err().to_string(),
            "Tiny: the graph needs 1001 bytes of device memory, but there are 1000"
        );
    }
}
