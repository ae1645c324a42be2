import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import {
  findKubeconfigPaths,
  homeDirectory,
  type PathSurroundings,
} from '../../../src/cluster/kubeconfigPaths.ts';

function on(platform: NodeJS.Platform, more: Partial<PathSurroundings> = {}): PathSurroundings {
  return { platform, env: {}, homeDir: '/home/fallback', settingPaths: [], exists: () => false, ...more };
}

describe('kubeconfig paths', () => {
  it('default to .kube/config in the home directory', () => {
    const found = findKubeconfigPaths(on('linux', { env: { HOME: '/home/a' } }));
    assert.deepEqual(found, { source: 'default', paths: ['/home/a/.kube/config'] });
    const mac = findKubeconfigPaths(on('darwin', { homeDir: '/Users/a' }));
    assert.deepEqual(mac.paths, ['/Users/a/.kube/config']);
  });

  it('D1: come from KUBECONFIG in its order, each once, empty parts skipped', () => {
    const env = { HOME: '/home/a', KUBECONFIG: '/a::/missing:/b:/a' };
    const found = findKubeconfigPaths(on('linux', { env }));
    assert.deepEqual(found, { source: 'environment', paths: ['/a', '/missing', '/b'] });
  });

  it('in KUBECONFIG are relative to the working directory, as kubectl reads them', () => {
    const { paths } = findKubeconfigPaths(on('linux', { env: { KUBECONFIG: 'one' } }));
    assert.deepEqual(paths, [resolve('one')]);
  });

  it('on Windows are split at semicolons and keep their drive letters', () => {
    const env = { KUBECONFIG: 'C:\\a\\config;\\\\wsl.localhost\\Ubuntu\\home\\a\\.kube\\config' };
    const { paths } = findKubeconfigPaths(on('win32', { env }));
    assert.deepEqual(paths, ['C:\\a\\config', '\\\\wsl.localhost\\Ubuntu\\home\\a\\.kube\\config']);
  });

  it('of the setting replace those of the environment', () => {
    const env = { HOME: '/home/a', KUBECONFIG: '/env' };
    const settingPaths = [' /set ', '', '~/other', 'relative'];
    const found = findKubeconfigPaths(on('linux', { env, settingPaths }));
    assert.deepEqual(found, { source: 'setting', paths: ['/set', '/home/a/other', '/home/a/relative'] });
  });

  it('of the setting may start with ~ on Windows', () => {
    const surroundings = on('win32', { env: { USERPROFILE: 'C:\\Users\\a' }, settingPaths: ['~\\k', '~/l'] });
    assert.deepEqual(findKubeconfigPaths(surroundings).paths, ['C:\\Users\\a\\k', 'C:\\Users\\a\\l']);
  });

  it('of the setting may be Windows paths in WSL, and only there', () => {
    const settingPaths = ['C:\\Users\\a b\\.kube\\config', 'd:/k'];
    const wsl = on('linux', { env: { HOME: '/home/a', WSL_DISTRO_NAME: 'Ubuntu' }, settingPaths });
    assert.deepEqual(findKubeconfigPaths(wsl).paths, ['/mnt/c/Users/a b/.kube/config', '/mnt/d/k']);
    const plain = on('linux', { env: { HOME: '/home/a' }, settingPaths: ['d:/k'] });
    assert.deepEqual(findKubeconfigPaths(plain).paths, ['/home/a/d:/k']);
  });
});

describe('the home directory on Windows', () => {
  const env = { HOME: 'C:\\home', HOMEDRIVE: 'H:', HOMEPATH: '\\drive', USERPROFILE: 'C:\\Users\\a' };

  it('is the first of HOME, HOMEDRIVE and USERPROFILE that holds a kubeconfig', () => {
    const holds = (folder: string) => (path: string) => path === `${folder}\\.kube\\config`;
    for (const folder of ['C:\\home', 'H:\\drive', 'C:\\Users\\a']) {
      assert.equal(homeDirectory(on('win32', { env, exists: holds(folder) })), folder);
    }
  });

  it('is else the first that exists of HOME, USERPROFILE and HOMEDRIVE', () => {
    const exists = (path: string): boolean => path === 'C:\\Users\\a' || path === 'H:\\drive';
    assert.equal(homeDirectory(on('win32', { env, exists })), 'C:\\Users\\a');
    assert.equal(homeDirectory(on('win32', { env })), 'C:\\home');
  });

  it('needs both HOMEDRIVE and HOMEPATH', () => {
    const half = { HOMEDRIVE: 'H:', USERPROFILE: 'C:\\Users\\a' };
    assert.equal(homeDirectory(on('win32', { env: half })), 'C:\\Users\\a');
    assert.equal(homeDirectory(on('win32', { homeDir: 'C:\\fallback' })), 'C:\\fallback');
  });
});
