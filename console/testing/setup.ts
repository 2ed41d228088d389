import '@testing-library/jest-dom/vitest'
import { configure } from '@testing-library/react'
import { afterEach, expect } from 'vitest'
import { emptyBrowser, leftInBrowser } from './emptyBrowser.ts'

// The simulated browser has no layout, so whoever asks for one gets an answer that never changes.
window.matchMedia ??= (media: string) => new EventTarget() as MediaQueryList & { media: typeof media }
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.scrollIntoView = () => {}

// A busy machine is no defect, so a test may wait longer than the default of one second.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  emptyBrowser()
  expect(leftInBrowser(), 'what this test left behind').toEqual([])
})
