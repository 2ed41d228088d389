import { Modal } from '@mantine/core'
import { useState } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { type Channel, deleteChannel, listChannels, rotateSigningKey } from '#contract/http/alerting/channels.ts'
import { ChannelTable } from './ChannelTable.tsx'
import { channelMessages } from './channelMessages.ts'
import { useChannelTest } from './TestModal.tsx'
import './channels.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const ChannelModal = lazyDialog(() => import('./ChannelModal.tsx').then((part) => part.ChannelModal))
const TestModal = lazyDialog(() => import('./TestModal.tsx').then((part) => part.TestModal))
const DeliveriesModal = lazyDialog(() => import('./DeliveriesModal.tsx').then((part) => part.DeliveriesModal))
const InboundModal = lazyDialog(() => import('./InboundModal.tsx').then((part) => part.InboundModal))

type Open = { readonly what: 'test' | 'deliveries' | 'inbound'; readonly channel: Channel }

export function ChannelsScreen() {
  const channels = useCall(listChannels, {}, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const dialog = useRecordDialog('/notifications/channels', channels.data, ({ id }) => id)
  const [open, setOpen] = useState<Open>()
  const [key, setKey] = useState<string>()
  const close = () => setOpen(undefined)
  const test = useChannelTest()
  return (
    <Screen
      title="Channels"
      actions={
        <AddButton
          actionId="channel.add"
          label="Add channel"
          searchTerms="new create webhook slack teams telegram ntfy pagerduty opsgenie jira servicenow"
          onClick={dialog.add}
        />
      }
    >
      <Panel>
        <AsyncView
          query={channels}
          empty={
            <EmptyNote title="There are no channels yet">
              <p>{channelMessages.none}</p>
            </EmptyNote>
          }
        >
          {(rows) => (
            <ChannelTable
              channels={rows}
              linkTo={dialog.linkTo}
              onEdit={dialog.show}
              onTest={(channel) => {
                test.mutate({ body: { id: channel.id } })
                setOpen({ what: 'test', channel })
              }}
              onDeliveries={(channel) => setOpen({ what: 'deliveries', channel })}
              onRotate={(channel) => void rotateKey(channel, setKey)}
              onInbound={(channel) => setOpen({ what: 'inbound', channel })}
              onDelete={(channel) => void remove(channel)}
            />
          )}
        </AsyncView>
      </Panel>
      {dialog.open && <ChannelModal channel={dialog.open.record} onKey={setKey} onClose={dialog.close} />}
      {open?.what === 'test' && <TestModal channel={open.channel} test={test} onClose={close} />}
      {open?.what === 'deliveries' && <DeliveriesModal channel={open.channel} onClose={close} />}
      {open?.what === 'inbound' && <InboundModal channel={open.channel} onClose={close} />}
      {key !== undefined && <KeyModal signingKey={key} onClose={() => setKey(undefined)} />}
    </Screen>
  )
}

const remove = ({ id, name }: Channel) =>
  confirmAndChange(
    deleteChannel,
    { body: { id } },
    {
      title: 'Delete channel',
      text: channelMessages.confirmDelete(name),
      isDangerous: true,
      done: channelMessages.deleted,
    },
  )

const rotateKey = ({ id, name }: Channel, onKey: (key: string) => void) =>
  confirmAndChange(
    rotateSigningKey,
    { body: { id } },
    {
      title: 'New signing key',
      text: channelMessages.confirmRotate(name),
      done: ({ signingKey }) => onKey(signingKey),
    },
  )

function KeyModal({ signingKey, onClose }: { readonly signingKey: string; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Signing key" size={520}>
      {channelMessages.keyOnce}
      <p className="channel-key">
        <code>{signingKey}</code>
        <CopyButton text={signingKey} name="signing key" />
      </p>
    </Modal>
  )
}
