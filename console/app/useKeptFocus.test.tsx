import { Menu, Modal } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { useKeptFocus } from './useKeptFocus.ts'

function Page() {
  useKeptFocus()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main id="content" tabIndex={-1}>
      <Menu>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setIsOpen(true)}>Change</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen && (
        <Modal opened onClose={() => setIsOpen(false)} title="Change">
          <button type="button">Inside</button>
        </Modal>
      )}
    </main>
  )
}

test('closing a dialog that an entry of a menu opened leaves the focus on the button of the menu', async () => {
  renderPiece(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change' }))
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: 'More' })).toHaveFocus())
})
