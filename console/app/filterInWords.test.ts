import { expect, test } from 'vitest'
import { filterInWords, pageInWords } from './filterInWords.ts'

const pageWith = (html: string) => new DOMParser().parseFromString(html, 'text/html')

test('paper names each field of the filter that has a value, and each chip', () => {
  const page = pageWith(`
    <div class="filter-bar">
      <input aria-label="Name" value="Brno" />
      <input aria-label="Serial number" value="" />
      <input type="hidden" value="3" />
      <label for="customer">Customer</label><input id="customer" value="City Media" />
      <button class="filter-word">Place: Lyon</button>
    </div>
    <input aria-label="A field elsewhere" value="x" />`)
  expect(filterInWords(page)).toEqual(['Name: Brno', 'Customer: City Media', 'Place: Lyon'])
})

test('paper names what a switch is set to, unless it narrows nothing', () => {
  const page = (chosen: string) =>
    pageWith(`
    <div class="filter-bar">
      <div role="radiogroup" aria-label="State">
        ${['', 'active', 'over'].map((value) => `<input type="radio" id="r${value}" value="${value}" ${value === chosen ? 'checked' : ''} /><label for="r${value}">${value || 'not closed'}</label>`).join('')}
      </div>
    </div>`)
  expect(filterInWords(page('over'))).toEqual(['State: over'])
  expect(filterInWords(page(''))).toEqual([])
})

test('paper names the customer of a page without a filter bar', () => {
  const page = pageWith(`
    <div class="screen-actions">
      <select aria-label="Customer"><option>All customers</option><option selected>City Media</option></select>
    </div>`)
  expect(filterInWords(page)).toEqual(['Customer: City Media'])
})

test('paper names the moments that are chosen, and no filter where there is none to choose', () => {
  const page = pageWith(`
    <search class="analytics-bar">
      <button class="field-input" aria-label="From 20.11.26 10:00">20.11.26 10:00</button>
      <button class="field-input" aria-label="To"><span></span></button>
    </search>`)
  expect(filterInWords(page)).toEqual(['From 20.11.26 10:00'])
  expect(filterInWords(pageWith('<main></main>'))).toBeUndefined()
})

test('paper says that it holds one page of a list, and where the rest is', () => {
  const page = (next: string, menu = '') =>
    pageWith(`${menu}<nav class="pager"><span aria-live="polite">1–100 of 312</span>
      <button aria-label="Next page" ${next}></button></nav>`)
  expect(pageInWords(page(''))).toBe('Only rows 1–100 of 312')
  expect(pageInWords(page('', '<button aria-label="Settings of this list"></button>'))).toBe(
    'Only rows 1–100 of 312; the CSV export has all of them',
  )
  expect(pageInWords(page('disabled'))).toBeUndefined()
})
