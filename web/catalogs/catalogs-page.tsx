import { Select, Switch } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addCatalog, type Catalog, catalogsOptions, patchCatalog, settleCatalogs } from '../data/catalogs.ts'
import { changeLeadSums, productsOptions } from '../data/products.ts'
import { AddByName } from '../parts/forms/add-by-name.tsx'
import form from '../parts/forms/form.module.css'
import { useAction } from '../parts/forms/use-action.ts'
import { useChange } from '../parts/forms/use-change.ts'
import { oneByOne, useOrder } from '../parts/forms/use-order.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Tag } from '../parts/layout/status.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import { CatalogDialog } from './catalog-dialog.tsx'
import classes from './catalogs.module.css'
import { RemoveCatalog } from './remove-catalog.tsx'

/** The settings of the account's lists. */
export function CatalogsPage() {
  const { t } = useTranslation()
  const query = useQuery(catalogsOptions)
  return (
    <Page title={t('catalogs.title')} lead={t('catalogs.lead')}>
      <Loaded query={query} rows={3}>
        {(catalogs) =>
          catalogs.length > 0 ? (
            <Catalogs catalogs={catalogs} />
          ) : (
            <EmptyState icon={IconListDetails} title={t('catalogs.empty_title')}>
              {t('catalogs.empty_text')}
            </EmptyState>
          )
        }
      </Loaded>
      {query.data && <AddCatalog catalogs={query.data} />}
      <LeadSums />
    </Page>
  )
}

/** Whether products make the prices of leads, once products are enabled. */
function LeadSums() {
  const { t } = useTranslation()
  const { data: settings } = useQuery(productsOptions)
  const change = useAction(changeLeadSums, t('app.saved'))
  if (!settings?.is_enabled) return null
  return (
    <div className={form.after}>
      <Section title={t('catalogs.type.products')}>
        <Switch
          checked={settings.sums_leads}
          disabled={change.pending}
          onChange={({ currentTarget }) => change.run(currentTarget.checked)}
          label={t('catalogs.sums')}
          description={t('catalogs.sums_hint')}
        />
      </Section>
    </div>
  )
}

function Catalogs({ catalogs }: { catalogs: Catalog[] }) {
  const { t } = useTranslation()
  const patch = useChange(patchCatalog)
  const { ordered, move } = useOrder(catalogs, oneByOne(patch), settleCatalogs)
  const [editing, edit] = useState<Catalog>()
  const [removing, askRemove] = useState<Catalog>()
  return (
    <>
      <SortableList label={t('catalogs.title')} items={ordered} onMove={move}>
        {(catalog) => (
          <>
            <CatalogWords catalog={catalog} />
            <RowButtons
              name={catalog.name}
              onEdit={() => edit(catalog)}
              onRemove={catalog.can_be_deleted ? () => askRemove(catalog) : undefined}
            />
          </>
        )}
      </SortableList>
      {editing && (
        <CatalogDialog
          catalog={editing}
          onSave={(draft) => patch({ id: editing.id, ...draft })}
          onClose={() => edit(undefined)}
        />
      )}
      {removing && <RemoveCatalog catalog={removing} onClose={() => askRemove(undefined)} />}
    </>
  )
}

const kinds = ['invoices', 'products', 'suppliers'] as const
type Kind = 'regular' | (typeof kinds)[number]

/** An account can have only one list of products, of invoices and of suppliers. */
function AddCatalog({ catalogs }: { catalogs: Catalog[] }) {
  const { t } = useTranslation()
  const add = useChange(addCatalog)
  const [kind, setKind] = useState<Kind>('regular')
  const offered = (['regular', ...kinds] as const).filter(
    (one) => one === 'regular' || !catalogs.some(({ type }) => type === one),
  )
  const onAdd = async (name: string) => {
    await add({ name, type: kind, can_show_in_cards: true })
    setKind('regular')
  }
  return (
    <AddByName label={t('catalogs.name')} action={t('catalogs.add')} onAdd={onAdd}>
      {offered.length > 1 && (
        <Select
          w={176}
          aria-label={t('catalogs.kind')}
          value={kind}
          onChange={(chosen) => setKind(offered.find((one) => one === chosen) ?? 'regular')}
          data={offered.map((one) => ({ value: one, label: t(`catalogs.type.${one}`) }))}
        />
      )}
    </AddByName>
  )
}

function CatalogWords({ catalog }: { catalog: Catalog }) {
  const { t } = useTranslation()
  const kind = kinds.find((one) => one === catalog.type)
  return (
    <div className={classes.words}>
      <Link
        to="/lists/$catalogId"
        params={{ catalogId: String(catalog.id) }}
        className={classes.name}
        title={catalog.name}
        draggable={false}
      >
        {catalog.name}
      </Link>
      {kind && <Tag>{t(`catalogs.type.${kind}`)}</Tag>}
      <span className={classes.note}>
        {[
          catalog.can_show_in_cards ? t('catalogs.traits.linked') : t('catalogs.traits.apart'),
          !catalog.can_add_elements && t('catalogs.traits.closed'),
          !catalog.can_be_deleted && t('catalogs.traits.lasting'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  )
}
