import { Button } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Age } from '#console/ui/Age.tsx'
import { RecordItem } from '#console/ui/records/RecordItem.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { type Factor, type listFactors, removeFactor, renewRecoveryCodes } from '#contract/http/people/factors.ts'

const KINDS = { authenticator: 'Authenticator app', passkey: 'Passkey' } as const

type Props = AnswerOf<typeof listFactors> & {
  readonly onAddAuthenticator: () => Promise<void>
  readonly onAddPasskey: () => Promise<void>
  readonly onRecoveryCodes: (codes: readonly string[]) => void
}

export function FactorList({ factors, recoveryCodesLeft, passkeyOrigin, onRecoveryCodes, ...on }: Props) {
  const [beginning, setBeginning] = useState<'app' | 'passkey'>()
  const begin = (what: 'app' | 'passkey', act: () => Promise<void>) => {
    setBeginning(what)
    void act().finally(() => setBeginning(undefined))
  }
  const isFirst = factors.length === 0
  const isHere = passkeyOrigin === window.location.origin
  return (
    <>
      {isFirst ? (
        <p className="factor-lead">A second factor protects your account if your password leaks.</p>
      ) : (
        <ul className="record-list factor-list">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} />
          ))}
        </ul>
      )}
      {!isFirst && <RecoveryCodesLeft count={recoveryCodesLeft} onRenewed={onRecoveryCodes} />}
      {!isHere && <p className="factor-lead factor-elsewhere">{whereOf(passkeyOrigin)}</p>}
      <div className="factor-buttons">
        {isHere && (
          <Button variant="default" loading={beginning === 'passkey'} onClick={() => begin('passkey', on.onAddPasskey)}>
            Add passkey
          </Button>
        )}
        <Button
          variant={isFirst ? 'filled' : 'default'}
          loading={beginning === 'app'}
          onClick={() => begin('app', on.onAddAuthenticator)}
        >
          Add authenticator app
        </Button>
      </div>
    </>
  )
}

const whereOf = (passkeyOrigin: string | null) =>
  passkeyOrigin === null
    ? 'Passkeys need HTTPS and a name as the address of the console. Here, use an authenticator app.'
    : `Passkeys are added where the console is open at ${passkeyOrigin}. Here, use an authenticator app.`

function FactorRow({
  factor: { id, kind, name, added, lastUsed },
  isLast,
}: {
  readonly factor: Factor
  readonly isLast: boolean
}) {
  const { confirm, isBusy } = useConfirmedChange(removeFactor)
  const remove = () =>
    confirm(
      { body: { id } },
      {
        title: 'Remove second factor',
        text: isLast ? messages.confirmRemoveLastFactor(name) : messages.confirmRemoveFactor(name),
        isDangerous: true,
        done: messages.factorRemoved(name),
      },
    )
  const more = (
    <>
      {KINDS[kind]}
      {' · '}
      {lastUsed === null ? (
        'not used yet'
      ) : (
        <>
          last used <Age at={lastUsed} />
        </>
      )}
      {' · '}added {formatMinute(added)}
    </>
  )
  return (
    <RecordItem icon={kind === 'passkey' ? IconFingerprint : IconDeviceMobile} name={name} more={[more]}>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Remove ${name}`}
        loading={isBusy}
        onClick={() => void remove()}
      >
        Remove
      </Button>
    </RecordItem>
  )
}

interface LeftProps {
  readonly count: number
  readonly onRenewed: (codes: readonly string[]) => void
}

function RecoveryCodesLeft({ count, onRenewed }: LeftProps) {
  const renew = useChange(renewRecoveryCodes, { onDone: ({ recoveryCodes }) => onRenewed(recoveryCodes) })
  const askAndRenew = async () => {
    const text = messages.confirmRenewRecoveryCodes
    if (await confirmDialog({ title: 'New recovery codes', text, call: renewRecoveryCodes })) renew.mutate({})
  }
  return (
    <p className="factor-codes-left">
      <span>{count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`}</span>
      <Button variant="default" size="compact-sm" loading={renew.isPending} onClick={() => void askAndRenew()}>
        New codes
      </Button>
    </p>
  )
}
