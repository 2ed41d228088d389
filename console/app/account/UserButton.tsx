import type { ComponentPropsWithRef } from 'react'
import { useUser } from '#console/lib/session/session.ts'
import { initialsOf, nameOf } from '#console/lib/userName.ts'

/** @param more the properties that the menu gives its button */
export function UserButton(more: ComponentPropsWithRef<'button'>) {
  const user = useUser()
  return (
    <button {...more} type="button" className="user-box">
      <span className="user-initials" aria-hidden>
        {initialsOf(user)}
      </span>
      <span className="user-lines">
        <span className="user-name">{nameOf(user)}</span>
        <span className="user-more">
          <span className="user-address">{user.email}</span>
          <span aria-hidden>·</span>
          <span className="user-role">{user.roleName}</span>
        </span>
      </span>
      <span className="visually-hidden">, user menu</span>
    </button>
  )
}
