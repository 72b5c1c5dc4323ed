/// One spelling of the API over the store.
protocol Edition: Sendable {
  func declare(on routes: Routes)
  func answer(to refusal: Refusal) -> Answer
}
