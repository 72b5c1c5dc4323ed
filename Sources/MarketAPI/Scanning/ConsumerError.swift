/// An error thrown by the receiver of the products, wrapped so that it isn't mistaken for a page that couldn't be read.
struct ConsumerError: Error { let cause: any Error }
