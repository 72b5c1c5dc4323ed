/// A transport that also wants to know how long its answers took to be understood.
package protocol DecodingWitness: Transport {
  func decoded(in time: Duration)
}
