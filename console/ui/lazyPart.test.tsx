import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { lazyPart } from './lazyPart.tsx'

const Part = () => <p>the part</p>

test('a part appears when it has been fetched, and is fetched once', async () => {
  let loads = 0
  const Late = lazyPart(async () => {
    loads++
    return Part
  })
  const { unmount } = renderPiece(<Late />)
  expect(await screen.findByText('the part')).toBeVisible()
  unmount()
  renderPiece(<Late />)
  expect(screen.getByText('the part')).toBeVisible()
  expect(loads).toBe(1)
})

test('a part that cannot be fetched says so and can be tried again', async () => {
  let isReachable = false
  const Late = lazyPart(() => (isReachable ? Promise.resolve(Part) : Promise.reject(new Error('offline'))))
  renderPiece(<Late />)
  const again = await screen.findByRole('button', { name: 'Try again' })
  isReachable = true
  await userEvent.click(again)
  expect(await screen.findByText('the part')).toBeVisible()
})

test('a part that does not come within the limit counts as failed', async () => {
  const Late = lazyPart(() => new Promise<typeof Part>(() => {}), { withinMs: 50 })
  renderPiece(<Late />)
  await waitFor(() => expect(screen.getByText('Could not be loaded')).toBeVisible())
})
