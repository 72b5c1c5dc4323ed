/// An exact amount with its currency; two amounts of different currencies cannot be mixed by accident.
package struct Money: Hashable, Sendable {
  package var amount: Amount
  package var currency: Currency

  package init(_ amount: Amount, _ currency: Currency) {
    self.amount = amount
    self.currency = currency
  }
}
