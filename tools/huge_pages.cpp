// Puts the program's memory in huge pages, through options of jemalloc. Events access the memory of
// thousands of peers in random order, and with small pages the translation of addresses takes as
// long as the work.
//
// Freed memory is kept for ten seconds, because a run asks for it again. A thread takes a piece
// from its own cache without asking other threads. The same holds for large pieces, which jemalloc
// would otherwise return to the system at once, and which would come back as new pages that must be
// cleared.
//
// Freed memory must not be kept for ever: jemalloc merges only returned memory into larger pieces,
// and an experiment of thousands of small runs would use up all memory.

extern "C" {
// jemalloc reads this before main.
extern const char* malloc_conf;
const char* malloc_conf =
    "thp:always,metadata_thp:always,dirty_decay_ms:10000,oversize_threshold:0,lg_tcache_max:20";
}
