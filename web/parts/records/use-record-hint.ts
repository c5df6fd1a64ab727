import { useQuery } from '@tanstack/react-query'
import { amountOf } from '../../../src/entities/records/amount-types.ts'
import { accountOptions } from '../../data/accounts.ts'
import { catalogsOptions } from '../../data/catalogs.ts'
import { pipelinesOptions, stageAt } from '../../data/pipelines.ts'
import { type AnyRecord, type CardKind, type Collection, valuesOf, wordOf } from '../../data/records.ts'
import { useFormat } from '../texts/format.ts'

/** Returns a function with a short hint that distinguishes records of the same name. */
export function useRecordHint(): (collection: Collection, record: AnyRecord) => string {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const { data: pipelines } = useQuery(pipelinesOptions)
  const { data: catalogs } = useQuery(catalogsOptions)
  const money = (amount: number | null | undefined) =>
    amount ? format.money(amount, account?.currency ?? 'USD') : undefined
  const reached = (record: AnyRecord) => [valuesOf(record, 'PHONE')[0], valuesOf(record, 'EMAIL')[0]]
  const says: Record<CardKind | 'elements', (record: AnyRecord, collection: Collection) => unknown[]> = {
    leads: (record) => [stageAt(pipelines, record)?.name, money(amountOf(record, 'price'))],
    contacts: reached,
    companies: reached,
    customers: (record) => [money(amountOf(record, 'next_price'))],
    elements: (_, collection) => [catalogs?.find(({ id }) => id === Number(collection.split('/')[1]))?.name],
  }
  return (collection, record) => says[wordOf(collection)](record, collection).filter(Boolean).join(' · ')
}
