import Catalog

/// The products of one currency, or all products if the field isn't money.
///
/// Amounts of two currencies are never combined.
struct ChartSeries {
  let currency: Currency?
  let products: [Product]

  /// Returns the series, the largest first.
  static func split(_ products: [Product], _ field: ProductField) -> [ChartSeries] {
    guard ChartFieldKind(field)?.isMoney == true else { return [ChartSeries(currency: nil, products: products)] }
    return Dictionary(grouping: products) { $0.currency }.map { ChartSeries(currency: $0.key, products: $0.value) }
      .sorted { ($1.products.count, $0.currency?.code ?? "") < ($0.products.count, $1.currency?.code ?? "") }
  }
}
