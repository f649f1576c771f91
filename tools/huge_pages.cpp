// The program's memory in huge pages. Events jump about among thousands of peers, and with small
// pages it takes as long to find out where a page is as to do the work. What was freed is kept for
// ten seconds: a run asks for it again, and a thread that has a piece of its own at hand asks
// nobody. That goes for large pieces too, which would be given back to the system at once: they
// come back as new pages, to be cleared again. For ever it must not be kept: only what goes back is
// put together to larger pieces, and an experiment of thousands of small runs would take all
// memory.

extern "C" {
// Read by jemalloc before main.
extern const char* malloc_conf;
const char* malloc_conf =
    "thp:always,metadata_thp:always,dirty_decay_ms:10000,oversize_threshold:0,lg_tcache_max:20";
}
