import { expect, test } from 'vitest'
import { filterInWords } from './filterInWords.ts'

test('paper names each field of the filter that has a value, and each chip', () => {
  document.body.innerHTML = `
    <div class="filter-bar">
      <input aria-label="Name" value="Brno" />
      <input aria-label="Serial number" value="" />
      <input type="hidden" value="3" />
      <label for="customer">Customer</label><input id="customer" value="City Media" />
      <button class="filter-word">Place: Lyon</button>
    </div>
    <input aria-label="A field elsewhere" value="x" />`
  expect(filterInWords(document)).toEqual(['Name: Brno', 'Customer: City Media', 'Place: Lyon'])
})

test('paper names the customer of a page without a filter bar', () => {
  document.body.innerHTML = `
    <div class="screen-actions">
      <select aria-label="Customer"><option>All customers</option><option selected>City Media</option></select>
    </div>`
  expect(filterInWords(document)).toEqual(['Customer: City Media'])
})
