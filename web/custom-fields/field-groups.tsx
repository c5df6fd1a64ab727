import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconForms, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addFieldGroup,
  type FieldGroup,
  patchFieldGroup,
  removeFieldGroup,
  settleFields,
  sortFields,
} from '../data/field-changes.ts'
import type { CustomField } from '../data/fields.ts'
import type { Collection } from '../data/records.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { NameDialog } from '../parts/dialogs/name-dialog.tsx'
import { AddByName } from '../parts/forms/add-by-name.tsx'
import { STEP } from '../parts/forms/order-places.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { useChange } from '../parts/forms/use-change.ts'
import { oneByOne, useOrder } from '../parts/forms/use-order.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Section } from '../parts/layout/section.tsx'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import { FieldRow } from './field-row.tsx'
import classes from './fields-page.module.css'

/** Fields without a group belong to this group. */
export const FIRST_GROUP = 'default'

interface FieldGroupsProps {
  collection: Collection
  fields: CustomField[]
  groups: FieldGroup[]
  onAdd: (group_id: string | null) => void
  onEdit: (field: CustomField) => void
  onRemove: (field: CustomField) => void
}

/** The fields of one kind of record by group. */
export function FieldGroups({ fields, groups, ...rest }: FieldGroupsProps) {
  const { t } = useTranslation()
  const { collection, onAdd } = rest
  const patch = useChange(patchFieldGroup(collection))
  const { ordered, move } = useOrder(groups, oneByOne(patch), settleFields)
  const known = new Set(groups.map(({ id }) => id))
  const groupOf = ({ group_id }: CustomField) => (group_id && known.has(group_id) ? group_id : FIRST_GROUP)
  const byGroup = Map.groupBy(fields, groupOf)
  if (groups.length <= 1 && fields.length === 0) return <NoFields onAdd={() => onAdd(null)} />
  return ordered.map((group, at) => {
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
            <GroupMenu collection={collection} groups={ordered} at={at} count={some.length} onMove={move} />
          </>
        }
      >
        {some.length > 0 ? (
          <FieldList label={group.name} fields={some} {...rest} />
        ) : (
          <p className={classes.none}>{t('fields.none_here')}</p>
        )}
      </Section>
    )
  })
}

interface FieldListProps extends Pick<FieldGroupsProps, 'collection' | 'fields' | 'onEdit' | 'onRemove'> {
  label: string
}

function FieldList({ label, collection, fields, onEdit, onRemove }: FieldListProps) {
  const { ordered, move } = useOrder(fields, useChange(sortFields(collection)), settleFields)
  return (
    <SortableList label={label} items={ordered} onMove={move}>
      {(field) => <FieldRow field={field} onEdit={() => onEdit(field)} onRemove={() => onRemove(field)} />}
    </SortableList>
  )
}

function NoFields({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconForms}
      title={t('fields.empty_title')}
      action={<Button onClick={onAdd}>{t('fields.add')}</Button>}
    >
      {t('fields.empty_text')}
    </EmptyState>
  )
}

interface GroupMenuProps {
  collection: Collection
  groups: FieldGroup[]
  at: number
  count: number
  onMove: (from: number, to: number) => void
}

/** Renames, moves and removes a group. */
function GroupMenu({ collection, groups, at, count, onMove }: GroupMenuProps) {
  const { t } = useTranslation()
  const group = groups[at] as FieldGroup
  const patch = useChange(patchFieldGroup(collection))
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
          <MoveItems at={at} last={groups.length - 1} onMove={onMove} />
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
      <RemoveGroup
        opened={asked === 'remove'}
        collection={collection}
        group={group}
        heir={groups.find(({ id }) => id === FIRST_GROUP)}
        count={count}
        onClose={close}
      />
    </>
  )
}

interface MoveItemsProps extends Pick<GroupMenuProps, 'at' | 'onMove'> {
  last: number
}

function MoveItems({ at, last, onMove }: MoveItemsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowUp size={16} />}
        disabled={at === 0}
        onClick={() => onMove(at, at - 1)}
      >
        {t('fields.group_up')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} />}
        disabled={at === last}
        onClick={() => onMove(at, at + 1)}
      >
        {t('fields.group_down')}
      </Menu.Item>
    </>
  )
}

interface RemoveGroupProps extends Pick<GroupMenuProps, 'collection' | 'count'> {
  opened: boolean
  group: FieldGroup
  /** The group that gets the fields. */
  heir: FieldGroup | undefined
  onClose: () => void
}

function RemoveGroup({ opened, collection, group, heir, count, onClose }: RemoveGroupProps) {
  const { t } = useTranslation()
  const remove = useAction(removeFieldGroup(collection), t('fields.group_removed'))
  return (
    <Confirm
      opened={opened}
      title={t('fields.group_remove_title', { name: group.name })}
      action={t('fields.group_remove')}
      pending={remove.pending}
      onConfirm={() => remove.run(group.id, onClose)}
      onClose={onClose}
    >
      <p>{t('fields.group_remove_text', { count, group: heir?.name })}</p>
    </Confirm>
  )
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
