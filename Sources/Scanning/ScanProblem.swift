/// What the taker of a scan threw, so that it is not mistaken for a page that could not be read.
struct ScanProblem: Error { let cause: any Error }
