import { Button, Menu } from '@mantine/core'
import { IconBookmark, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { type SavedView, setView, type ViewPage } from '#contract/http/devices/views.ts'
import { useViewCommands, type ViewAction } from './useViewCommands.ts'
import { useViews } from './useViews.ts'
import { ViewModal } from './ViewModal.tsx'
import './views.css'

interface Props {
  readonly page: ViewPage
  /** It is called when somebody has picked a view and its address is open. */
  readonly onOpened?: () => void
}

/** The menu opens the saved views of a page, saves what is shown as one, shares it, and sets the default. */
export function ViewMenu({ page, onOpened }: Props) {
  const views = useViews(page, onOpened)
  const { data, picked } = views
  const [edited, setEdited] = useState<SavedView | 'new'>()
  const ofPicked = useViewCommands(page, views, setEdited)
  const maySave = useMay(setView.permission)
  const hasViews = (data?.views.length ?? 0) > 0
  if (!maySave && !hasViews) return null
  return (
    <>
      {picked && views.isChanged && (
        <span className="view-changed">
          changed
          {picked.mayChange && picked.lost === null && <SaveButton onClick={() => views.saveOver(picked)} />}
          <Button variant="subtle" size="compact-sm" aria-label="Reset the view" onClick={() => views.open(picked)}>
            Reset
          </Button>
        </span>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionButton icon={IconBookmark} className="view-button icon-on-phone" aria-label={picked?.name ?? 'Views'}>
            {picked?.name ?? 'Views'}
          </ActionButton>
        </Menu.Target>
        <Menu.Dropdown className="view-choices">
          <Choices
            label="Own"
            views={data?.views.filter((one) => one.isOwn)}
            {...{ picked, data }}
            onOpen={views.open}
          />
          <Choices
            label="Shared"
            views={data?.views.filter((one) => !one.isOwn)}
            {...{ picked, data }}
            onOpen={views.open}
          />
          {maySave && hasViews && <Menu.Divider />}
          {maySave && <Actions ofPicked={ofPicked} onNew={() => setEdited('new')} />}
        </Menu.Dropdown>
      </Menu>
      {edited && (
        <ViewModal
          page={page}
          view={edited === 'new' ? undefined : edited}
          content={edited === 'new' ? views.content : edited.content}
          onSaved={(view) => edited === 'new' && views.open(view)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

interface ActionsProps {
  readonly ofPicked: readonly ViewAction[]
  readonly onNew: () => void
}

const Actions = ({ ofPicked, onNew }: ActionsProps) => (
  <>
    <Menu.Item onClick={onNew}>Save as…</Menu.Item>
    {ofPicked.map(({ short, isDangerous, run }) => (
      <Menu.Item key={short} {...(isDangerous && { color: 'red' })} onClick={run}>
        {short}
      </Menu.Item>
    ))}
  </>
)

const SaveButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Button variant="subtle" size="compact-sm" onClick={onClick}>
    Save
  </Button>
)

interface ChoicesProps {
  readonly label: string
  readonly views: readonly SavedView[] | undefined
  readonly picked: SavedView | undefined
  readonly data: ReturnType<typeof useViews>['data']
  readonly onOpen: (view: SavedView) => void
}

function Choices({ label, views = [], picked, data, onOpen }: ChoicesProps) {
  if (views.length === 0) return null
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          leftSection={
            view.id === picked?.id ? <IconCheck size={14} aria-hidden /> : <span className="view-unpicked" />
          }
          onClick={() => onOpen(view)}
        >
          {view.name}
          <span className="view-about">
            {[
              view.shareName && `for ${view.shareName}`,
              !view.isOwn && view.ownerName && `by ${view.ownerName}`,
              view.id === data?.defaultId && 'default',
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </Menu.Item>
      ))}
    </>
  )
}
