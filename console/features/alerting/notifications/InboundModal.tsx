import { Button, Modal, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { type Channel, setInbound } from '#contract/http/alerting/channels.ts'
import { INBOUND_SECRETS, isInboundKind, KINDS, SHORTEST_INBOUND_SECRET } from '#domain/notifications/channelKinds.ts'
import { channelMessages } from './channelMessages.ts'

interface Props {
  readonly channel: Channel
  readonly onClose: () => void
}

function Copied({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <p className="channel-key">
      <code>{text}</code>
      <CopyButton text={text} name={name} />
    </p>
  )
}

export function InboundModal({ channel, onClose }: Props) {
  const { id, name, kind, inbound } = channel
  const [secret, setSecret] = useState('')
  const setting = useChange(setInbound, { showsFailure: true })
  const isTheirs = isInboundKind(kind) && INBOUND_SECRETS[kind] === 'theirs'
  const now = setting.data
  const isOn = now ? now.address !== '' : inbound !== null
  const address = now?.address || inbound?.address
  const turn = (on: boolean) =>
    setting.mutate({ body: { id, isOn: on, ...(on && isTheirs && { secret: secret.trim() }) } })
  return (
    <Modal opened onClose={onClose} title={`Incoming webhook of ${name}`} size={520}>
      {channelMessages.inbound(KINDS[kind].label, isTheirs)}
      {isOn && address && (
        <>
          <h3 className="channel-answer-head">Address</h3>
          <Copied name="address" text={address} />
        </>
      )}
      {now?.signingKey && (
        <>
          <h3 className="channel-answer-head">Signing key, shown only once</h3>
          <Copied name="signing key" text={now.signingKey} />
        </>
      )}
      {!now && inbound && (
        <p className="channel-answer-head">
          {inbound.at === null ? 'Nothing received yet.' : `Last received ${formatMinute(inbound.at)}: ${inbound.text}`}
        </p>
      )}
      {isTheirs && !isOn && (
        <PasswordInput
          label={`Secret of the webhook in ${KINDS[kind].label}, at least ${SHORTEST_INBOUND_SECRET} characters`}
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
          autoComplete="new-password"
          mt="sm"
        />
      )}
      {setting.error && <FormNote kind="failed" text={failureMessage(setting.error)} />}
      <div className="channel-foot">
        {isOn ? (
          <Button variant="default" loading={setting.isPending} onClick={() => turn(false)}>
            Disable
          </Button>
        ) : (
          <Button
            loading={setting.isPending}
            disabled={isTheirs && secret.trim().length < SHORTEST_INBOUND_SECRET}
            onClick={() => turn(true)}
          >
            Enable
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  )
}
