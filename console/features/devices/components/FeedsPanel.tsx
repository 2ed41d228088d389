import { Button, Group } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { factoryChainOf } from '#console/deviceParts/linkLabels.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { callKey, queryClient, useCall, useChange } from '#console/lib/call/useCall.ts'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { getFeedChain, setFeedChain, type WireFeedChain } from '#contract/http/insight/feedChain.ts'
import { type Feeds, isWireable, possibleFeeders, withFeeds } from '#domain/darkness/configuredFeeds.ts'
import { type FeedChain, type FeedPart, partOf } from '#domain/darkness/feedChain.ts'

interface Props {
  readonly device: Device
  readonly title: string
}

export function FeedsPanel({ device, title }: Props) {
  const chain = useCall(getFeedChain, { deviceId: device.id })
  return (
    <Panel title={title}>
      <AsyncView query={chain}>{(answer) => <FeedsEditor device={device} wired={answer} />}</AsyncView>
    </Panel>
  )
}

function FeedsEditor({ device, wired }: { readonly device: Device; readonly wired: WireFeedChain }) {
  const saved = savedFeeds(wired)
  // Undefined means the saved wiring, whoever saved it.
  const [edited, setEdited] = useState<Feeds>()
  const feeds = edited ?? saved
  const chain = withFeeds(factoryChainOf(wired), feeds)
  const hasChanges = JSON.stringify(sorted(feeds)) !== JSON.stringify(sorted(saved))
  useUnsavedChanges(hasChanges)
  const change = useChange(setFeedChain, {
    onDone: (answer) => {
      queryClient.setQueryData(callKey(getFeedChain, { deviceId: device.id }), answer)
      setEdited(undefined)
      toasts.success(deviceMessages.feedsSaved)
    },
  })
  const wire = (key: string, fedBy: string, isDefault: boolean) =>
    setEdited(
      Object.fromEntries([...Object.entries(feeds).filter(([it]) => it !== key), ...(isDefault ? [] : [[key, fedBy]])]),
    )
  return (
    <>
      <p className="feeds-note">
        Used to show what a power action takes down, and why a display is dark. Factory wiring applies until you change
        it.
      </p>
      <ul className="feeds" aria-label="Power wiring">
        {chain.parts
          .filter(({ fedBy }) => fedBy === undefined)
          .map((root) => (
            <FeedBranch key={root.key} chain={chain} part={root} onWire={wire} />
          ))}
      </ul>
      <Group className="components-save" data-dirty={hasChanges || undefined} gap="sm">
        <span role="status">{hasChanges && 'Not saved yet'}</span>
        <Button variant="default" disabled={Object.keys(feeds).length === 0} onClick={() => setEdited({})}>
          Reset all to default
        </Button>
        <Button variant="default" disabled={!hasChanges || change.isPending} onClick={() => setEdited(undefined)}>
          Cancel wiring
        </Button>
        <Button
          disabled={!hasChanges}
          loading={change.isPending}
          onClick={() => change.mutate({ body: { deviceId: device.id, feeds: { ...feeds } } })}
        >
          Save wiring
        </Button>
      </Group>
    </>
  )
}

interface FeedBranchProps {
  readonly chain: FeedChain
  readonly part: FeedPart
  readonly onWire: (key: string, fedBy: string, isDefault: boolean) => void
}

function FeedBranch({ chain, part, onWire }: FeedBranchProps) {
  const fed = chain.parts.filter(({ fedBy }) => fedBy === part.key)
  const isChanged = part.fedBy !== part.defaultFedBy
  return (
    <li>
      <div className="feed" data-changed={isChanged || undefined}>
        <span className="feed-name">{part.name}</span>
        {isWireable(part) && <FeederChoice chain={chain} part={part} onWire={onWire} />}
      </div>
      {fed.length > 0 && (
        <ul aria-label={`Fed by: ${part.name}`}>
          {fed.map((each) => (
            <FeedBranch key={each.key} chain={chain} part={each} onWire={onWire} />
          ))}
        </ul>
      )}
    </li>
  )
}

function FeederChoice({ chain, part, onWire }: FeedBranchProps) {
  const isDefault = part.fedBy === part.defaultFedBy
  const nameOf = (key: string) => partOf(chain, key)?.name
  return (
    <>
      <Select
        className="feed-choice"
        size="xs"
        aria-label={`${part.name} fed by`}
        data={possibleFeeders(chain, part).map(({ key, name }) => ({
          value: key,
          label: key === part.defaultFedBy ? `${name} (default)` : name,
        }))}
        value={part.fedBy ?? null}
        onChange={(fedBy) => fedBy !== null && onWire(part.key, fedBy, fedBy === part.defaultFedBy)}
        allowDeselect={false}
      />
      {!isDefault && part.defaultFedBy !== undefined && (
        <ActionButton
          icon={IconArrowBackUp}
          iconSize={13}
          variant="subtle"
          size="compact-xs"
          onClick={() => onWire(part.key, part.defaultFedBy ?? '', true)}
        >
          Reset to {nameOf(part.defaultFedBy)}
          <span className="visually-hidden">, the default of {part.name}</span>
        </ActionButton>
      )}
    </>
  )
}

const savedFeeds = ({ parts }: WireFeedChain): Feeds =>
  Object.fromEntries(
    parts.flatMap(({ key, fedBy, defaultFedBy }) => (fedBy !== null && fedBy !== defaultFedBy ? [[key, fedBy]] : [])),
  )

const sorted = (feeds: Feeds) => Object.entries(feeds).sort(([a], [b]) => a.localeCompare(b))
