const FIELDS = '.filter-bar input:not([type="hidden"], [type="checkbox"]), .screen-actions select'
const CHIPS = '.filter-bar .filter-word'

/**
 * It reads the filter as it stands in the bar, so that paper says the same as the screen, whatever list it is. The
 * customer is one of its fields; users of a customer have none, because they see only their own.
 */
export function filterInWords(page: ParentNode): readonly string[] {
  const fields = [...page.querySelectorAll<HTMLInputElement | HTMLSelectElement>(FIELDS)].flatMap((field) => {
    const value = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text : field.value
    const name = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? ''
    return value ? [name === '' ? value : `${name}: ${value}`] : []
  })
  return [...fields, ...[...page.querySelectorAll(CHIPS)].map(({ textContent }) => textContent)]
}
