import { expect, test } from 'vitest'
import { legendNames } from './legendNames.ts'

test('what all names say is said once, and what tells them apart stays whole', () => {
  expect(legendNames(['Display 1 · Internal (°C) · Praha', 'Display 1 · Internal (°C) · Graz'])).toEqual({
    shared: 'Display 1 · Internal (°C)',
    own: ['Praha', 'Graz'],
  })
  expect(legendNames(['Display 1 · Internal · Praha', 'Display 2 · Internal · Praha'])).toEqual({
    shared: 'Internal · Praha',
    own: ['Display 1', 'Display 2'],
  })
})

test('names with nothing in common, one name alone and names that are equal stay as they are', () => {
  expect(legendNames(['Praha', 'Graz'])).toEqual({ shared: '', own: ['Praha', 'Graz'] })
  expect(legendNames(['A · B'])).toEqual({ shared: '', own: ['A · B'] })
  expect(legendNames(['A · B', 'A · B'])).toEqual({ shared: '', own: ['A · B', 'A · B'] })
  expect(legendNames(['A · B', 'A · B · week before'])).toEqual({ shared: '', own: ['A · B', 'A · B · week before'] })
  expect(legendNames([])).toEqual({ shared: '', own: [] })
})
