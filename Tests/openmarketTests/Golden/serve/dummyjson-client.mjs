// A client of DummyJSON in JavaScript, written from its own documentation: views/docs-products.ejs of Ovi/DummyJSON at
// 17a2b7b. `node dummyjson-client.mjs URL` adds a product and changes it; with the product's id it finds and deletes it.
const [base, id] = process.argv.slice(2)
const headers = { 'Content-Type': 'application/json' }
const ask = (path, options) => fetch(base + path, options)
const json = async (path, options) => (await ask(path, options)).json()

if (!id) {
  const { products, total, skip, limit } = await json('/products?limit=2&skip=1')
  console.log('listed', products.length, 'of', total > 100, skip, limit, typeof products[0].meta.createdAt)

  const added = await json('/products/add', {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'BMW Pencil', price: 3.5, category: 'office' }),
  })
  console.log('added', added.title, added.price, added.category, typeof added.stock, Array.isArray(added.images))

  for (const method of ['PUT', 'PATCH']) {
    const updated = await json(`/products/${added.id}`, {
      method,
      headers,
      body: JSON.stringify({ title: `iPhone Galaxy +${method}` }),
    })
    console.log('updated', updated.id === added.id, updated.title, updated.price)
  }

  const found = await json('/products/search?q=galaxy')
  console.log('found', found.total, found.limit, found.products[0].id === added.id)
  console.log('id', added.id)
} else {
  const product = await json(`/products/${id}`)
  console.log('read', product.title, product.price, product.category)
  const deleted = await json(`/products/${id}`, { method: 'DELETE' })
  console.log('deleted', deleted.isDeleted, !Number.isNaN(Date.parse(deleted.deletedOn)), deleted.title)
  const missing = await ask(`/products/${id}`)
  console.log('missing', missing.status, (await missing.json()).message)
}
