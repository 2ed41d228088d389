import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { AddressNote } from './AddressNote.tsx'

test('a note that was closed stays closed while the address still holds what cannot be read', async () => {
  renderPiece(<AddressNote unread={['customerId “abc”']} />)
  expect(screen.getByText(/customerId “abc”/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Close this note' }))
  expect(screen.queryByText(/customerId “abc”/)).toBeNull()
})
