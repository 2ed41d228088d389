import { Button } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Age } from '#console/ui/Age.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { type Factor, type listFactors, removeFactor, renewRecoveryCodes } from '#contract/http/factors/factors.ts'

type Props = AnswerOf<typeof listFactors> & {
  readonly onAddAuthenticator: () => Promise<void>
  readonly onRecoveryCodes: (codes: readonly string[]) => void
}

/** What one has, and the ways to have more of it or less. */
export function FactorList({ factors, recoveryCodesLeft, onAddAuthenticator, onRecoveryCodes }: Props) {
  const [isBeginning, setBeginning] = useState(false)
  const begin = () => {
    setBeginning(true)
    void onAddAuthenticator().finally(() => setBeginning(false))
  }
  return (
    <>
      {factors.length === 0 ? (
        <p className="factor-lead">
          With a second factor nobody signs in by your password alone. You confirm by it, too, what needs a proof that
          it is you.
        </p>
      ) : (
        <ul className="factor-list">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} />
          ))}
        </ul>
      )}
      {factors.length > 0 && <RecoveryCodesLeft count={recoveryCodesLeft} onRenewed={onRecoveryCodes} />}
      <div className="factor-buttons">
        <Button variant={factors.length === 0 ? 'filled' : 'default'} loading={isBeginning} onClick={begin}>
          Add authenticator app
        </Button>
      </div>
    </>
  )
}

function FactorRow({
  factor: { id, name, added, lastUsed },
  isLast,
}: {
  readonly factor: Factor
  readonly isLast: boolean
}) {
  const remove = useChange(removeFactor, { onDone: () => toasts.success(messages.factorRemoved(name)) })
  const askAndRemove = async () => {
    const text = isLast ? messages.confirmRemoveLastFactor(name) : messages.confirmRemoveFactor(name)
    if (await confirmDialog({ title: 'Remove second factor', text, isDangerous: true })) remove.mutate({ body: { id } })
  }
  return (
    <li className="factor">
      <IconDeviceMobile size={20} stroke={1.6} aria-hidden />
      <div>
        <div className="factor-name">{name}</div>
        <div className="factor-more">
          {lastUsed === null ? (
            'Not used since'
          ) : (
            <>
              Last used <Age at={lastUsed} />
            </>
          )}
          {' · '}added {formatMinute(added)}
        </div>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Remove ${name}`}
        loading={remove.isPending}
        onClick={() => void askAndRemove()}
      >
        Remove
      </Button>
    </li>
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
    if (await confirmDialog({ title: 'New recovery codes', text })) renew.mutate({})
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
