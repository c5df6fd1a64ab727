import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPlus, IconStar, IconUnlink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../src/entities/records/amount-types.ts'
import { MOST_EMBEDDED } from '../../src/entities/records/link-types.ts'
import { EditorBox } from '../custom-fields/editor-box.tsx'
import { NewRecordDialog } from '../custom-fields/new-record.tsx'
import { digitsOf } from '../custom-fields/values.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type Link, linkRecord, unlinkRecord } from '../data/record-links.ts'
import { type AnyRecord, type CardKind, valuesOf, wordOf } from '../data/records.ts'
import { useFocusBack } from '../parts/dialogs/use-focus-back.ts'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { RecordLink } from '../parts/records/record-link.tsx'
import { RecordPicker } from '../parts/records/record-picker.tsx'
import { Money } from '../parts/texts/money.tsx'
import { useRight } from '../shell/use-session.ts'
import { useCard } from './card-context.tsx'
import { linkedKinds } from './card-kinds.ts'
import classes from './fields-panel.module.css'
import { RecordStage } from './record-stage.tsx'

/** Linked records by kind. */
export function LinkedRecords() {
  const { collection } = useCard()
  return linkedKinds[wordOf(collection)].map((kind) => <LinkedKind key={kind} kind={kind} />)
}

/** A company may have thousands of leads, so only a few are shown at first. */
const FEW = 8

function LinkedKind({ kind }: { kind: CardKind }) {
  const { t } = useTranslation()
  const { record, canEdit } = useCard()
  const [isAdding, setAdding] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const part = useRef<HTMLElement>(null)
  useFocusBack(part, isAdding, `.${classes.add}`)
  const canSee = useRight(kind, 'view')
  const linked = (record._embedded?.[kind] ?? []) as { id: number; is_main?: boolean }[]
  const shown = showsAll ? linked : linked.slice(0, FEW)
  if (!canSee && linked.length === 0) return null
  return (
    <section ref={part} className={classes.part} aria-label={t(`nav.${kind}`)}>
      <PartHead
        title={t(`nav.${kind}`)}
        count={linked.length}
        hasMore={linked.length === MOST_EMBEDDED}
        addLabel={canEdit ? t(`card.add_${kind}`) : undefined}
        onAdd={() => setAdding(true)}
      />
      {isAdding && (
        <AddLink kind={kind} without={linked.map(({ id }) => id)} onDone={() => setAdding(false)} />
      )}
      <ul className={classes.list}>
        {shown.map(({ id, is_main }) => (
          <LinkedRow key={id} kind={kind} id={id} isMain={is_main === true} />
        ))}
      </ul>
      {shown.length < linked.length && (
        <Button
          className={classes.fold}
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => setShowsAll(true)}
        >
          {t('card.show_all', { count: linked.length })}
        </Button>
      )}
    </section>
  )
}

interface PartHeadProps {
  title: string
  count?: number
  /** There are more than the count says. */
  hasMore?: boolean
  /** Without a label, nothing can be added. */
  addLabel?: string | undefined
  onAdd: () => void
}

/** The heading of a section: title, count and add button. */
export function PartHead({ title, count = 0, hasMore = false, addLabel, onAdd }: PartHeadProps) {
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      {count > 0 && <span className={classes.count}>{hasMore ? `${count}+` : count}</span>}
      {addLabel && (
        <ActionIcon
          className={classes.add}
          variant="subtle"
          color="gray"
          size={26}
          aria-label={addLabel}
          title={addLabel}
          onClick={onAdd}
        >
          <IconPlus size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

interface AddLinkProps {
  kind: CardKind
  without: number[]
  onDone: () => void
}

/** Links an existing record, or creates a new one. */
function AddLink({ kind, without, onDone }: AddLinkProps) {
  const { t } = useTranslation()
  const { collection, id } = useCard()
  const link = useAction(linkRecord)
  const [made, setMade] = useState<string>()
  const canAdd = useRight(kind, 'add')
  const add = (to_entity_id: number) => {
    link.run({ collection: collection as CardKind, id, to_entity_type: kind, to_entity_id })
    onDone()
  }
  if (made !== undefined)
    return (
      <NewRecordDialog
        collection={kind}
        opened
        onClose={onDone}
        preset={{ name: made }}
        onAdded={(added) => add(added)}
      />
    )
  return (
    <EditorBox onSave={onDone} onCancel={onDone}>
      <RecordPicker
        aria-label={t(`card.add_${kind}`)}
        collection={kind}
        without={without}
        onPick={add}
        onNew={canAdd ? setMade : undefined}
      />
    </EditorBox>
  )
}

function LinkedRow({ kind, id, isMain }: { kind: CardKind; id: number; isMain: boolean }) {
  const { t } = useTranslation()
  const card = useCard()
  const { data: record, isPending } = useQuery(briefOptions(kind, id))
  const row = useRef<HTMLLIElement>(null)
  useFocusNear(row)
  const name = record?.name || `#${id}`
  const hasMain = kind === 'contacts' && card.collection !== 'companies'
  const link: Link = {
    collection: card.collection as CardKind,
    id: card.id,
    to_entity_type: kind,
    to_entity_id: id,
  }
  return (
    <li ref={row} className={classes.row}>
      <div className={classes.named}>
        <div className={classes.nameLine}>
          <RecordLink collection={kind} id={id}>
            {isPending ? '…' : name}
          </RecordLink>
          {hasMain && isMain && <span className={classes.main}>{t('card.main')}</span>}
        </div>
        {record && <About kind={kind} record={record} />}
      </div>
      {card.canEdit && <LinkMenu name={name} link={link} canBeMain={hasMain && !isMain} />}
    </li>
  )
}

interface LinkMenuProps {
  name: string
  link: Link
  canBeMain: boolean
}

function LinkMenu({ name, link, canBeMain }: LinkMenuProps) {
  const { t } = useTranslation()
  const put = useAction(linkRecord)
  const cut = useAction(unlinkRecord)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          className={classes.quiet}
          variant="subtle"
          color="gray"
          size={26}
          aria-label={t('card.more_of', { name })}
          title={t('card.more_of', { name })}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canBeMain && (
          <Menu.Item
            leftSection={<IconStar size={15} />}
            onClick={() => put.run({ ...link, metadata: { is_main: true } })}
          >
            {t('card.make_main')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconUnlink size={15} />} onClick={() => cut.run(link)}>
          {t('card.unlink')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The main fields of a linked record. */
function About({ kind, record }: { kind: CardKind; record: AnyRecord }) {
  const parts = abouts[kind](record).filter(Boolean)
  return parts.length > 0 && <div className={classes.about}>{parts}</div>
}

const abouts: Record<CardKind, (record: AnyRecord) => ReactNode[]> = {
  leads: (lead) => [
    <RecordStage key="stage" collection="leads" record={lead} />,
    <Money key="money" amount={amountOf(lead, 'price')} />,
  ],
  contacts: reached,
  companies: reached,
  customers: (customer) => [<Money key="money" amount={amountOf(customer, 'next_price')} />],
}

function reached(record: AnyRecord): ReactNode[] {
  const [phone] = valuesOf(record, 'PHONE')
  const [mail] = valuesOf(record, 'EMAIL')
  return [
    phone && (
      <a key="phone" href={`tel:${digitsOf(phone)}`}>
        {phone}
      </a>
    ),
    mail && (
      <a key="mail" href={`mailto:${mail}`} title={mail}>
        {mail}
      </a>
    ),
  ]
}
