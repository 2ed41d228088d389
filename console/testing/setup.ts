import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// The pretend browser has no layout: what asks for one gets an answer that never changes.
window.matchMedia ??= (media: string) => new EventTarget() as MediaQueryList & { media: typeof media }
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.scrollIntoView = () => {}

afterEach(cleanup)
