export function repositoryPage(repository: string | { url?: string } | undefined): string | undefined
export function packedReadme(text: string, page: string | undefined): string
