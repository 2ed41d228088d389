import { useEffect, useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import type { AnswerOf } from '#contract/call/call.ts'
import { getOfferedUsers } from '#contract/http/people/signIn.ts'
import './demoUsers.css'

/** Users of the demo, one click away; nothing anywhere else. They come after the form, which moves for nobody. */
export function DemoUsers({ onChoose }: { readonly onChoose: (username: string) => void }) {
  const [offered, setOffered] = useState<AnswerOf<typeof getOfferedUsers>>([])
  // Asked once and by itself: this page stands without what keeps answers for the others.
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
