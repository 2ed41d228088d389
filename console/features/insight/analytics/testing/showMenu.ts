import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

export const openShowMenu = async () => userEvent.click(await screen.findByRole('button', { name: 'Show' }))

/** It turns one entry of the menu on or off, and closes the menu. */
export async function chooseShown(name: string) {
  await openShowMenu()
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: new RegExp(`^${name}`) }))
  await userEvent.keyboard('{Escape}')
}
