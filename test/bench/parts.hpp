// The parts of the benchmark: the systems compared, their sizes, and the goals.
#pragma once

#include "test/bench/bench.hpp"

namespace rhizome::bench {

void bench_threads(Bench& bench);
void bench_virtual(Bench& bench);
void bench_cyclon(Bench& bench);
void bench_gradient(Bench& bench);
void bench_million(Bench& bench);
// The thread engine in two or three processes beside one, and a link encrypted beside plain,
// without goals: on one machine they share its cores.
void bench_processes(Bench& bench);
// Every system that carries gossip at its largest size, without goals of speed.
void bench_memory(Bench& bench);

}  // namespace rhizome::bench
