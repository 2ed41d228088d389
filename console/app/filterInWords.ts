const BAR = ':is(.filter-bar, .analytics-bar)'
const FIELDS = `${BAR} input:not([type="hidden"], [type="checkbox"], [type="radio"]:not(:checked)), ${BAR} button.field-input, .screen-actions select`
const CHIPS = '.filter-bar .filter-word'

/**
 * It reads the filter as it stands in the bar, so that paper says the same as the screen, whatever list it is. The
 * customer is one of its fields; users of a customer have none, because they see only their own.
 *
 * @returns undefined where nothing can be filtered
 */
export function filterInWords(page: ParentNode): readonly string[] | undefined {
  if (page.querySelector(`${BAR}, .screen-actions select`) === null) return undefined
  const fields = [...page.querySelectorAll<Field>(FIELDS)].flatMap((field) => {
    const name = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? ''
    // The name of a field of a moment ends in its moment.
    if (field instanceof HTMLButtonElement) return field.textContent === '' ? [] : [name]
    // A switch is named by its group, and its choice by its label.
    if (field.type === 'radio' && field.value !== '') {
      return [`${field.closest('[aria-label]')?.getAttribute('aria-label')}: ${name}`]
    }
    const value = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text : field.value
    return value ? [name === '' ? value : `${name}: ${value}`] : []
  })
  return [...fields, ...[...page.querySelectorAll(CHIPS)].map(({ textContent }) => textContent)]
}

/** A page of a list is less than the list, which paper has to say. It is undefined where all rows are there. */
export function pageInWords(page: ParentNode): string | undefined {
  const pages = page.querySelector('.pager')
  if (!pages?.querySelector(':is([aria-label="Next page"], [aria-label="Previous page"]):not(:disabled)'))
    return undefined
  const rest = page.querySelector('[aria-label$="this list"]') ? '; the CSV export has all of them' : ''
  return `Only rows ${pages.querySelector('[aria-live]')?.textContent}${rest}`
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLButtonElement
