import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OpenFor } from './OpenFor.tsx'

const shown = (agoMs: number, isAtLeast = false) => {
  const created = new Date(Date.now() - agoMs).toISOString()
  return render(<OpenFor created={created} closed={null} isAtLeast={isAtLeast} />).container.textContent
}

test('what began less than a minute ago says so, and is unknown where it may have begun before', () => {
  expect([shown(20_000), shown(20_000, true)]).toEqual(['< 1 min', '–'])
  expect([shown(150_000), shown(150_000, true)]).toEqual(['2 min', 'at least 2 min'])
})
