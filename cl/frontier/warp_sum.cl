// Returns the sum over a virtual warp of `width` work-items to its first one, which is `lane` 0; to
// others it returns 0. Each writes its number to local memory, and after a barrier the first one
// adds them up in order. Callers alternate between two halves of local memory, so that one barrier
// a call is enough. Warps of one work-item need none.
real warp_sum(__local real *part, const real own, const uint width, const uint lane) {
    if (width == 1) return own;
    const uint item = get_local_id(0);
    part[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    real sum = 0;
    if (lane == 0) {
        for (uint other = 0; other < width; other++) sum += part[item + other];
    }
    return sum;
}
