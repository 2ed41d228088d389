import { Modal, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { answerByPasskey, isRpHere } from '#console/lib/session/passkeys.ts'
import { useUser } from '#console/lib/session/session.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { HiddenUsername } from '#console/ui/form/HiddenUsername.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { getStepUpWays, stepUp } from '#contract/http/people/factors.ts'
import { CODE_LABEL, codeHint } from './codeLabels.ts'
import './factors.css'

interface Props {
  readonly isOpen: boolean
  readonly onEnd: (isProved: boolean) => void
}

/** A fresh proof protects what somebody who merely sits at this browser should not do. */
export function StepUpModal({ isOpen, onEnd }: Props) {
  return (
    <Modal
      opened={isOpen}
      onClose={() => onEnd(false)}
      title="Confirm your identity"
      size={380}
      centered
      // While it closes, the dialog beneath is visible again and gets the focus back.
      classNames={isOpen ? { content: 'step-up' } : {}}
    >
      <StepUpAsking onEnd={onEnd} />
    </Modal>
  )
}

export function StepUpAsking(form: FormProps) {
  const ways = useCall(getStepUpWays, {})
  return <AsyncView query={ways}>{(known) => <StepUpForm known={known} {...form} />}</AsyncView>
}

interface StepUpFormProps extends Pick<Props, 'onEnd'> {
  readonly known: AnswerOf<typeof getStepUpWays>
  readonly submitLabel?: string
  readonly isDangerous?: boolean
}

export function StepUpForm({ known, ...form }: StepUpFormProps) {
  return (
    <div ref={focusFirst}>
      {known.ways.includes('password') ? <ByPassword {...form} /> : <ByFactor {...known} {...form} />}
    </div>
  )
}

/** Nothing else moves the focus here if the dialog was already open. */
const focusFirst = (form: HTMLElement | null) => form?.querySelector<HTMLElement>('[data-autofocus]')?.focus()

type FormProps = Omit<StepUpFormProps, 'known'>

const WHY = 'This action needs a recent confirmation of your identity, at most 15 minutes old.'

function ByPassword({ onEnd, ...foot }: FormProps) {
  const { username } = useUser()
  const { field, submit, isBusy } = useCallForm(stepUp, {
    labels: { password: 'Password' },
    initial: { password: '' },
    requires: ['password'],
    content: ({ password }) => ({ password }),
    refusals: { wrong_second_factor: 'password' },
    onSaved: () => onEnd(true),
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Confirm" {...foot} onCancel={() => onEnd(false)}>
      <p className="factor-lead">{WHY}</p>
      <HiddenUsername username={username} />
      <PasswordField {...field('password')} autoComplete="current-password" data-autofocus />
    </ModalForm>
  )
}

type FactorProps = FormProps & AnswerOf<typeof getStepUpWays>

function ByFactor({ ways, passkeys, isFresh: _isFresh, onEnd, ...foot }: FactorProps) {
  const { field, submit, isBusy } = useCallForm(stepUp, {
    labels: { code: CODE_LABEL },
    initial: { code: '' },
    requires: ['code'],
    content: ({ code }) => ({ code }),
    refusals: { wrong_second_factor: 'code' },
    onSaved: () => onEnd(true),
  })
  const isHere = passkeys !== undefined && isRpHere(passkeys.rpId)
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Confirm" {...foot} onCancel={() => onEnd(false)}>
      <p className="factor-lead">{WHY}</p>
      {isHere && <PasskeyButton asked={passkeys} onEnd={onEnd} />}
      <TextInput
        {...field('code')}
        description={codeHint(ways)}
        autoComplete="one-time-code"
        spellCheck={false}
        {...(isHere ? {} : { 'data-autofocus': true })}
      />
    </ModalForm>
  )
}

interface PasskeyButtonProps extends Pick<Props, 'onEnd'> {
  readonly asked: NonNullable<AnswerOf<typeof getStepUpWays>['passkeys']>
}

function PasskeyButton({ asked, onEnd }: PasskeyButtonProps) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const passkey = await answerByPasskey(asked)
      await send(stepUp, { body: { challenge: asked.challenge, passkey } })
      onEnd(true)
    } catch (thrown) {
      setFailure(failureMessage(thrown))
      setBusy(false)
    }
  }
  return (
    <>
      <ActionButton icon={IconFingerprint} loading={isBusy} onClick={() => void confirm()} data-autofocus>
        Use passkey
      </ActionButton>
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
    </>
  )
}
