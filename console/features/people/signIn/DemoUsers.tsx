import { useEffect, useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import type { AnswerOf } from '#contract/call/call.ts'
import { getOfferedUsers } from '#contract/http/people/signIn.ts'
import './demoUsers.css'

/** Only the demo offers its users, one click away. They appear below the form, so that it does not move. */
export function DemoUsers({ onChoose }: { readonly onChoose: (username: string) => void }) {
  const [offered, setOffered] = useState<AnswerOf<typeof getOfferedUsers>>([])
  // This page stands without the query cache, so the call is made here, once.
  useEffect(() => {
    const leaving = new AbortController()
    send(getOfferedUsers, { query: {}, signal: leaving.signal }).then(setOffered, () => undefined)
    return () => leaving.abort()
  }, [])
  if (offered.length === 0) return null
  return (
    <section className="offered-users" aria-labelledby="offered-users">
      <h2 id="offered-users">Users of this demo</h2>
      <p>They share the password that the first start printed.</p>
      <ul>
        {offered.map(({ username, roleName }) => (
          <li key={username}>
            <button type="button" onClick={() => onChoose(username)}>
              <strong>{roleName}</strong>
              <small>{username}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
