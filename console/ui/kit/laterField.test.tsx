import { Select, type SelectProps } from '@mantine/core'
import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { laterField } from './laterField.tsx'

test('a list that is opened before its field is loaded says that it opened, once', async () => {
  const Later = laterField<SelectProps>(() => Promise.resolve(Select as never), { textOf: () => '', hasList: true })
  let opened = 0
  renderPiece(<Later aria-label="User" data={['eva']} onDropdownOpen={() => (opened += 1)} />)
  await userEvent.click(screen.getByRole('combobox', { name: 'User' }))
  await screen.findByRole('option', { name: 'eva' })
  expect(opened).toBe(1)
})

test('a list whose field is loaded between press and release opens', async () => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const Later = laterField<SelectProps>(() => arrived.then(() => Select as never), { textOf: () => '', hasList: true })
  renderPiece(<Later aria-label="User" data={['eva']} />)
  const box = screen.getByRole('combobox', { name: 'User' })
  // Otherwise the browser moves the focus to where the box was, which closes the list.
  expect(fireEvent.mouseDown(box)).toBe(false)
  expect(document.activeElement).toBe(box)
  await act(async () => arrive())
  await vi.waitFor(() => expect(box.isConnected).toBe(false))
  fireEvent.mouseUp(screen.getByRole('combobox', { name: 'User' }))
  await screen.findByRole('option', { name: 'eva' })
})
