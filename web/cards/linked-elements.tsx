import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditorBox } from '../custom-fields/editor-box.tsx'
import { NewRecordDialog } from '../custom-fields/new-record.tsx'
import { catalogsOptions } from '../data/catalogs.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type Link, linkRecord, unlinkRecord } from '../data/record-links.ts'
import { type CardKind, elementsOf } from '../data/records.ts'
import { useFocusBack } from '../parts/dialogs/use-focus-back.ts'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { RecordLink } from '../parts/records/record-link.tsx'
import { RecordPicker } from '../parts/records/record-picker.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { Money } from '../parts/texts/money.tsx'
import { readNumber, writeNumber } from '../parts/texts/numbers.ts'
import { useLocale } from '../parts/texts/region.ts'
import { useRight } from '../shell/use-session.ts'
import { useCard } from './card-context.tsx'
import classes from './fields-panel.module.css'
import { usePrices, useProductCosts } from './product-prices.ts'

interface Catalog {
  id: number
  name: string
}

/** The list items that are linked to the card, with quantities. */
export function LinkedElements() {
  const { t } = useTranslation()
  const { record, canEdit } = useCard()
  const { data: catalogs = [] } = useQuery(catalogsOptions)
  const [adding, setAdding] = useState<Catalog>()
  const part = useRef<HTMLElement>(null)
  useFocusBack(part, adding !== undefined, `.${classes.add}`)
  const linked = record._embedded?.catalog_elements ?? []
  const prices = usePrices(linked)
  const costs = useProductCosts(linked, prices)
  if (linked.length === 0 && (catalogs.length === 0 || !canEdit)) return null
  return (
    <section ref={part} className={classes.part} aria-label={t('nav.lists')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('nav.lists')}</h2>
        {linked.length > 0 && <span className={classes.count}>{linked.length}</span>}
        {canEdit && catalogs.length > 0 && (
          <ChooseList catalogs={catalogs} isChosen={adding !== undefined} onChoose={setAdding} />
        )}
      </div>
      {adding && (
        <AddElement
          key={adding.id}
          catalog={adding}
          without={linked.map(({ id }) => id)}
          onDone={() => setAdding(undefined)}
        />
      )}
      <ul className={classes.list}>
        {linked.map(({ id, metadata: { catalog_id, quantity } }) => (
          <ElementRow
            key={id}
            id={id}
            catalog={catalogs.find((one) => one.id === catalog_id) ?? { id: catalog_id, name: '' }}
            quantity={quantity}
            price={prices.get(id)}
          />
        ))}
      </ul>
      {costs.length > 0 && <Total costs={costs} />}
    </section>
  )
}

/** The total cost of all linked products. */
function Total({ costs }: { costs: number[] }) {
  const { t } = useTranslation()
  return (
    <p className={classes.total}>
      <span>{t('card.products_total')}</span>
      <Money amount={costs.reduce((all, cost) => all + cost, 0)} />
    </p>
  )
}

interface ChooseListProps {
  catalogs: Catalog[]
  /** An element of a list is being chosen, where the focus stays. */
  isChosen: boolean
  onChoose: (catalog: Catalog) => void
}

function ChooseList({ catalogs, isChosen, onChoose }: ChooseListProps) {
  const { t } = useTranslation()
  const [only] = catalogs
  const plus = (
    <ActionIcon
      className={classes.add}
      variant="subtle"
      color="gray"
      size={26}
      aria-label={t('card.add_elements')}
      title={t('card.add_elements')}
      onClick={catalogs.length === 1 && only ? () => onChoose(only) : undefined}
    >
      <IconPlus size={16} />
    </ActionIcon>
  )
  if (catalogs.length === 1) return plus
  return (
    <Menu position="bottom-end" width={220} returnFocus={!isChosen}>
      <Menu.Target>{plus}</Menu.Target>
      <Menu.Dropdown>
        {catalogs.map((catalog) => (
          <Menu.Item key={catalog.id} onClick={() => onChoose(catalog)}>
            {catalog.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface AddElementProps {
  catalog: Catalog
  without: number[]
  onDone: () => void
}

function AddElement({ catalog, without, onDone }: AddElementProps) {
  const { collection, id } = useCard()
  const link = useAction(linkRecord)
  const [made, setMade] = useState<string>()
  const canAdd = useRight(elementsOf(catalog.id), 'add')
  const add = (to_entity_id: number) => {
    link.run({ ...linkTo(collection as CardKind, id, to_entity_id, catalog.id) })
    onDone()
  }
  if (made !== undefined)
    return (
      <NewRecordDialog
        collection={elementsOf(catalog.id)}
        opened
        onClose={onDone}
        preset={{ name: made }}
        onAdded={(added) => add(added)}
      />
    )
  return (
    <EditorBox onSave={onDone} onCancel={onDone}>
      <RecordPicker
        aria-label={catalog.name}
        collection={elementsOf(catalog.id)}
        without={without}
        onPick={add}
        onNew={canAdd ? setMade : undefined}
      />
    </EditorBox>
  )
}

const linkTo = (
  collection: CardKind,
  id: number,
  to_entity_id: number,
  catalog_id: number,
  quantity?: number,
): Link => ({
  collection,
  id,
  to_entity_type: 'catalog_elements',
  to_entity_id,
  metadata: { catalog_id, ...(quantity !== undefined && { quantity }) },
})

interface ElementRowProps {
  id: number
  catalog: Catalog
  quantity: number
  /** Only of items that have a price. */
  price: number | undefined
}

function ElementRow({ id, catalog, quantity, price }: ElementRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const card = useCard()
  const { data: element, isPending } = useQuery(briefOptions(elementsOf(catalog.id), id))
  const put = useAction(linkRecord)
  const cut = useAction(unlinkRecord)
  const name = element?.name || `#${id}`
  const row = useRef<HTMLLIElement>(null)
  useFocusNear(row)
  const link = (amount?: number) => linkTo(card.collection as CardKind, card.id, id, catalog.id, amount)
  return (
    <li ref={row} className={classes.row}>
      <div className={classes.named}>
        <div className={classes.nameLine}>
          <RecordLink collection={elementsOf(catalog.id)} id={id}>
            {isPending ? '…' : name}
          </RecordLink>
        </div>
        <div className={classes.about}>
          <span>{catalog.name}</span>
          {price !== undefined && (
            <span className={classes.number}>
              {format.decimal(quantity)} × <Money amount={price} /> = <Money amount={quantity * price} />
            </span>
          )}
        </div>
      </div>
      <div className={classes.tools}>
        {card.canEdit ? (
          <Quantity
            key={quantity}
            label={t('card.quantity_of', { name })}
            before={quantity}
            onSave={(amount) => put.run(link(amount))}
          />
        ) : (
          <span className={classes.number}>× {format.decimal(quantity)}</span>
        )}
        {card.canEdit && (
          <ActionIcon
            className={classes.quiet}
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t('card.unlink_of', { name })}
            title={t('card.unlink_of', { name })}
            onClick={() => cut.run(link())}
          >
            <IconX size={15} />
          </ActionIcon>
        )}
      </div>
    </li>
  )
}

interface QuantityProps {
  label: string
  before: number
  onSave: (quantity: number) => void
}

const MOST = 1e12

/** The quantity of an item. Invalid input is not saved. */
function Quantity({ label, before, onSave }: QuantityProps) {
  const locale = useLocale()
  const [typed, setTyped] = useState(() => writeNumber(before, locale))
  const amount = Number(readNumber(typed, locale) ?? Number.NaN)
  const isRight = amount >= 0 && amount <= MOST
  const save = () => {
    if (isRight && amount !== before) onSave(amount)
    else setTyped(writeNumber(before, locale))
  }
  return (
    <TextInput
      className={classes.quantity}
      aria-label={label}
      size="xs"
      inputMode="decimal"
      maxLength={20}
      value={typed}
      error={!isRight}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={save}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') setTyped(writeNumber(before, locale))
        if (key === 'Enter') currentTarget.blur()
      }}
    />
  )
}
