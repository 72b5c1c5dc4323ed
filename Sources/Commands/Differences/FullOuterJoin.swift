/// Returns the values of two lists side by side: by the keys of the first list in its order, then by the keys that only the
/// second one has.
///
/// A key that a list repeats has the last value there. At most one of `first` and `second` is `nil`.
func fullOuterJoin<Key: Hashable, Value>(
  _ first: some Sequence<(Key, Value)>, _ second: some Sequence<(Key, Value)>
) -> [(key: Key, first: Value?, second: Value?)] {
  let (first, second) = (Array(first), Array(second))
  let (left, right) = (Dictionary(first) { $1 }, Dictionary(second) { $1 })
  var seen: Set<Key> = []
  return (first + second).map(\.0).filter { seen.insert($0).inserted }.map { ($0, left[$0], right[$0]) }
}
