import { CALLS } from '@ensaio/domain/brapi'

/** What this server offers: exactly the calls that are registered, or those of them that answer as all these types. */
export function serverInfo(siteUrl: string, asked: readonly string[]) {
  const services = new Map<string, { methods: string[]; tables: boolean }>()
  for (const { method, path, tables } of CALLS) {
    const held = services.get(path)
    if (held) held.methods.push(method)
    else services.set(path, { methods: [method], tables: tables === true })
  }
  const calls = [...services].map(([service, { methods, tables }]) => {
    const types = tables ? ['application/json', 'text/csv', 'text/tsv'] : ['application/json']
    return { service, methods, versions: ['2.1'], contentTypes: types, dataTypes: types }
  })
  return {
    calls: calls.filter(({ contentTypes }) => asked.every((type) => contentTypes.includes(type))),
    contactEmail: null,
    documentationURL: `${siteUrl}/ajuda`,
    location: 'Brasil',
    organizationName: 'Ensaio',
    organizationURL: siteUrl,
    serverDescription: 'Ensaios de campo: parcelas, variáveis e valores',
    serverName: 'Ensaio',
  }
}
