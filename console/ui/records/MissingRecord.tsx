import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { EmptyNote } from '../notes.tsx'
import { Screen } from '../page/Screen.tsx'

interface Props {
  readonly title: string
  /** It says what is missing, such as "This user does not exist". */
  readonly note: string
  readonly list: Address
  /** It names the list, such as "users". */
  readonly listName: string
}

/** A link to a record that is gone leads back to its list, because trying again would not bring the record. */
export function MissingRecord({ title, note, list, listName }: Props) {
  return (
    <Screen title={title}>
      <EmptyNote title={note}>
        <Button component={Link} to={list} leftSection={<IconArrowLeft size={16} aria-hidden />}>
          Go back to {listName}
        </Button>
      </EmptyNote>
    </Screen>
  )
}
