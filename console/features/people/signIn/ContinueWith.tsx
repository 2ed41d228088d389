import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { keepAttempt } from '#console/lib/session/providerAttempt.ts'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { beginProviderSignIn, findSignInProvider } from '#contract/http/people/singleSignOn.ts'
import { mailDomainOf } from '#domain/singleSignOn/roleByClaim.ts'

type Provider = NonNullable<AnswerOf<typeof findSignInProvider>['provider']>

/** It looks up the identity provider of an e-mail address once the address is typed. */
export function useProviderOf() {
  const [known, setKnown] = useState<{ readonly domain: string; readonly provider: Provider | null }>()
  return {
    find: (username: string) => {
      const domain = mailDomainOf(username)
      if (domain === undefined) return setKnown(undefined)
      if (domain === known?.domain) return
      // If this is not answered, a password still works.
      send(findSignInProvider, { body: { username: `somebody@${domain}` } }).then(
        ({ provider }) => setKnown({ domain, provider }),
        () => setKnown(undefined),
      )
    },
    of: (username: string) => (known && mailDomainOf(username) === known.domain ? known.provider : null),
  }
}

interface Props {
  readonly provider: Provider
  readonly username: string
  readonly onFailed: (failure: unknown) => void
}

export function ContinueWith({ provider, username, onFailed }: Props) {
  const [isLeaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    try {
      const begun = await send(beginProviderSignIn, { body: { providerId: provider.id, username: username.trim() } })
      keepAttempt({ attempt: begun.attempt, wanted: new URLSearchParams(location.search).get('wanted') ?? '' })
      location.assign(begun.address)
    } catch (failure) {
      setLeaving(false)
      onFailed(failure)
    }
  }
  return (
    <PlainButton isBusy={isLeaving} onClick={() => void leave()}>
      Continue with {provider.name}
    </PlainButton>
  )
}
