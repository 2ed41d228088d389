import { Button } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { type CallFailed, failureMessage, mayPass } from '#console/lib/call/CallFailed.ts'
import { queryClient, useChange } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useLocation } from '#console/router/Router.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EntryScreen } from '#console/ui/page/EntryScreen.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { acknowledgeByLink, getLinkedIncident } from '#contract/http/alerting/incidentNotices.ts'

const NOT_VALID = 'This link does not work. It was already used or has expired.'

/** A link in a message opens `/acknowledge`; opening it changes nothing. */
export function AcknowledgePage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Acknowledge />
    </QueryClientProvider>
  )
}

/** The token leaves the address at once, because an address is seen by others and kept in the history. */
function useLinkToken(): string {
  const { anchor } = useLocation()
  const inAddress = new URLSearchParams(anchor.replace(/^#/, '')).get('token')
  const [token, setToken] = useState(inAddress ?? 'missing')
  useLayoutEffect(() => {
    if (inAddress === null) return
    setToken(inAddress)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [inAddress])
  return token
}

function Acknowledge() {
  const token = useLinkToken()
  const link = useQuery<AnswerOf<typeof getLinkedIncident>, CallFailed>({
    queryKey: [getLinkedIncident.path, token],
    queryFn: ({ signal }) => send(getLinkedIncident, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <EntryScreen title="Acknowledge" lead="Acknowledging makes you the owner and stops further notifications.">
      {link.isPending && <Skeleton />}
      {link.isError && <FormNote kind="failed" text={textOf(link.error)} />}
      {link.data && <OneButton token={token} incident={link.data} />}
      <p className="login-more">
        <Link to={address('/login')}>To the sign-in</Link>
      </p>
    </EntryScreen>
  )
}

const KEPT_WORDS: readonly string[] = ['too_many_requests', 'incident_taken']

const textOf = (failure: CallFailed): string =>
  mayPass(failure) || KEPT_WORDS.includes(failure.code) ? failureMessage(failure) : NOT_VALID

interface Props {
  readonly token: string
  readonly incident: AnswerOf<typeof getLinkedIncident>
}

function OneButton({ token, incident: { title, name, acknowledgedBy, isOver } }: Props) {
  const { mutate, isPending, isSuccess, error } = useChange(acknowledgeByLink, { showsFailure: true })
  if (isSuccess) return <FormNote kind="info" text={`It is acknowledged by ${name}.`} />
  return (
    <div className="login-form">
      <strong className="acknowledge-title">{title}</strong>
      {isOver && <FormNote kind="info" text="It is resolved." />}
      {acknowledgedBy !== '' && <FormNote kind="info" text={`${acknowledgedBy} has acknowledged it.`} />}
      {error && <FormNote kind="failed" text={textOf(error)} />}
      {acknowledgedBy === '' && (
        <Button size="sm" fullWidth loading={isPending} onClick={() => mutate({ body: { token } })}>
          Acknowledge as {name}
        </Button>
      )}
    </div>
  )
}
