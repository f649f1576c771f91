// The program's memory in huge pages. Events jump about among thousands of peers, and with small
// pages it takes as long to find out where a page is as to do the work.

extern "C" {
// Read by jemalloc before main.
extern const char* malloc_conf;
const char* malloc_conf = "thp:always,metadata_thp:always";
}
