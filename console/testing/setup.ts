import '@testing-library/jest-dom/vitest'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { endSession } from '#console/lib/call/sessionStore.ts'
import { queryClient } from '#console/lib/call/useCall.ts'

// The pretend browser has no layout: what asks for one gets an answer that never changes.
window.matchMedia ??= (media: string) => new EventTarget() as MediaQueryList & { media: typeof media }
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.scrollIntoView = () => {}

// A busy machine is no defect: what a test waits for may take longer than the default of one second.
configure({ asyncUtilTimeout: 20_000 })

/** Each test finds an empty browser in which nobody is signed in. */
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  // Toasts outlive the page.
  notifications.clean()
  notifications.cleanQueue()
  endSession('signedOut')
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
})
