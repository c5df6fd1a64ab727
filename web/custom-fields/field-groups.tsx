import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconForms, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addFieldGroup,
  type FieldGroup,
  patchFieldGroup,
  removeFieldGroup,
  sortFields,
} from '../api/field-changes.ts'
import type { CustomField } from '../api/fields.ts'
import type { Collection } from '../api/records.ts'
import { AddByName } from '../parts/add-by-name.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Empty } from '../parts/empty.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Section } from '../parts/section.tsx'
import { SortableList } from '../parts/sortable-list.tsx'
import { useAction } from '../parts/use-action.ts'
import { useChange } from '../parts/use-change.ts'
import { FieldRow } from './field-row.tsx'
import classes from './fields-page.module.css'

/** What stands in no group of its own stands in the first. */
export const FIRST_GROUP = 'default'
/** The distance between two neighbours: there is room for one that comes between. */
const STEP = 10

interface FieldGroupsProps {
  collection: Collection
  fields: CustomField[]
  groups: FieldGroup[]
  onAdd: (group_id: string | null) => void
  onEdit: (field: CustomField) => void
  onRemove: (field: CustomField) => void
}

/** The fields of one kind of record as its card has them: group after group. Lists have no groups. */
export function FieldGroups({ collection, fields, groups, onAdd, onEdit, onRemove }: FieldGroupsProps) {
  const { t } = useTranslation()
  const sort = useAction(sortFields(collection))
  const known = new Set(groups.map(({ id }) => id))
  const groupOf = ({ group_id }: CustomField) => (group_id && known.has(group_id) ? group_id : FIRST_GROUP)
  const byGroup = Map.groupBy(fields, groupOf)
  const list = (label: string, some: CustomField[]) => (
    <SortableList label={label} items={some} onMove={(from, to) => sort.run(moved(some, from, to))}>
      {(field) => <FieldRow field={field} onEdit={() => onEdit(field)} onRemove={() => onRemove(field)} />}
    </SortableList>
  )
  if (groups.length === 0)
    return fields.length > 0 ? list(t('fields.title'), fields) : <NoFields onAdd={() => onAdd(null)} />
  return groups.map((group, at) => {
    const some = byGroup.get(group.id) ?? []
    return (
      <Section
        key={group.id}
        title={group.name}
        actions={
          <>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={t('fields.add_to', { name: group.name })}
              onClick={() => onAdd(group.id)}
            >
              {t('fields.add_here')}
            </Button>
            <GroupMenu collection={collection} groups={groups} at={at} count={some.length} />
          </>
        }
      >
        {some.length > 0 ? list(group.name, some) : <p className={classes.none}>{t('fields.none_here')}</p>}
      </Section>
    )
  })
}

/** The places of those that have another one after a move. */
function moved(fields: CustomField[], from: number, to: number): { id: number; sort: number }[] {
  const after = fields.toSpliced(from, 1).toSpliced(to, 0, fields[from] as CustomField)
  return after
    .map(({ id, sort }, i) => ({ id, sort, place: (i + 1) * STEP }))
    .filter(({ sort, place }) => sort !== place)
    .map(({ id, place }) => ({ id, sort: place }))
}

function NoFields({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <Empty
      icon={IconForms}
      title={t('fields.empty_title')}
      action={<Button onClick={onAdd}>{t('fields.add')}</Button>}
    >
      {t('fields.empty_text')}
    </Empty>
  )
}

interface GroupMenuProps {
  collection: Collection
  groups: FieldGroup[]
  at: number
  count: number
}

function GroupMenu({ collection, groups, at, count }: GroupMenuProps) {
  const { t } = useTranslation()
  const group = groups[at] as FieldGroup
  const patch = useChange(patchFieldGroup(collection))
  const swap = useAction({ mutationFn: (to: number) => swapGroups(patch, groups, at, to) })
  const remove = useAction(removeFieldGroup(collection), t('fields.group_removed'))
  const [asked, ask] = useState<'name' | 'remove'>()
  const close = () => ask(undefined)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('fields.group_menu', { name: group.name })}
            title={t('fields.group_menu', { name: group.name })}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => ask('name')}>
            {t('fields.group_rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowUp size={16} />}
            disabled={at === 0}
            onClick={() => swap.run(at - 1)}
          >
            {t('fields.group_up')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={16} />}
            disabled={at === groups.length - 1}
            onClick={() => swap.run(at + 1)}
          >
            {t('fields.group_down')}
          </Menu.Item>
          {!group.is_predefined && (
            <Menu.Item leftSection={<IconTrash size={16} />} color="danger" onClick={() => ask('remove')}>
              {t('fields.group_remove')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'name' && (
        <NameDialog
          title={t('fields.group_rename')}
          name={group.name}
          onSave={(name) => patch({ id: group.id, name })}
          onClose={close}
        />
      )}
      <Confirm
        opened={asked === 'remove'}
        title={t('fields.group_remove_title', { name: group.name })}
        action={t('fields.group_remove')}
        pending={remove.pending}
        onConfirm={() => remove.run(group.id, close)}
        onClose={close}
      >
        <p>
          {t('fields.group_remove_text', { count, group: groups.find(({ id }) => id === FIRST_GROUP)?.name })}
        </p>
      </Confirm>
    </>
  )
}

/** Two neighbours change places; where several had the same, all of them are given their own. */
async function swapGroups(
  patch: (group: { id: string; sort: number }) => Promise<unknown>,
  groups: FieldGroup[],
  at: number,
  to: number,
): Promise<void> {
  const after = groups.toSpliced(at, 1).toSpliced(to, 0, groups[at] as FieldGroup)
  for (const [i, { id, sort }] of after.entries())
    if (sort !== (i + 1) * STEP) await patch({ id, sort: (i + 1) * STEP })
}

export function AddFieldGroup({ collection, groups }: { collection: Collection; groups: FieldGroup[] }) {
  const { t } = useTranslation()
  const add = useChange(addFieldGroup(collection))
  const sort = Math.max(0, ...groups.map((group) => group.sort)) + STEP
  return (
    <Section title={t('fields.groups')} lead={t('fields.groups_lead')}>
      <AddByName
        label={t('fields.group_name')}
        action={t('fields.group_add')}
        done={t('fields.group_added')}
        onAdd={(name) => add({ name, sort })}
      />
    </Section>
  )
}
